import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm run bench -- PART [ARGUMENTS]`; without a part, all of them. Each part is a program of its own beside this file. */
const parts = ['server', 'scale', 'repeat-visit', 'offline-start', 'cached-songs', 'favorites', 'weight', 'lighthouse', 'identity', 'maker']

const [part, ...rest] = process.argv.slice(2)
if (part !== undefined && !parts.includes(part)) {
  process.stderr.write(`There is no part '${part}': choose from ${parts.join(', ')}\n`)
  process.exit(2)
}
let failed = false
for (const name of part === undefined ? parts : [part]) {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  if (!existsSync(program)) throw new Error(`bench/${name}.ts is missing`)
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', program, ...rest], { stdio: 'inherit' })
  if (status !== 0) failed = true
}
process.exitCode = failed ? 1 : 0
