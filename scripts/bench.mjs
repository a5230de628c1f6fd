import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode, root } from './node-version.mjs'
import { node } from './steps.mjs'

// `npm run bench -- PART [options]`: runs bench/PART.ts on the built app.
const [part = '', ...options] = process.argv.slice(2)
await orFail(async () => {
  const parts = readdirSync(join(root, 'bench'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
  if (!/^[\w-]+$/.test(part) || !existsSync(join(root, 'bench', `${part}.ts`)))
    throw new Error(`npm run bench -- PART, one of: ${parts.join(', ')}`)
  requireNode()
  ensureInstalled()
  await ensureBuilt('client', 'server')
})
process.exitCode = await node(['node_modules/tsx/dist/cli.mjs', `bench/${part}.ts`, ...options], { minutes: 60 })
