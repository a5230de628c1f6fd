import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm run bench -- [BENCHMARK [ARGUMENTS]]`: runs one benchmark, or all. Each benchmark is a program in this folder. */
const benchmarks = [
  'server',
  'cold-reads',
  'crawler',
  'radio',
  'conversion',
  'scale',
  'repeat-visit',
  'first-visit',
  'offline-start',
  'cached-songs',
  'song-tap',
  'favorites',
  'long-lists',
  'own-playlists',
  'members',
  'weight',
  'lighthouse',
  'identity',
  'maker',
  'maker-mp3',
  'maker-batch',
  'maker-memory',
  'video',
  'tempo',
  'timings',
]

/** Benchmarks that need an argument, and so run by their name only. */
const namedBenchmarks = ['before']

const [benchmark, ...benchmarkArgs] = process.argv.slice(2)
if (benchmark !== undefined && ![...benchmarks, ...namedBenchmarks].includes(benchmark)) {
  process.stderr.write(`Unknown benchmark '${benchmark}'. Known benchmarks: ${[...benchmarks, ...namedBenchmarks].join(', ')}\n`)
  process.exit(2)
}
let hasFailed = false
for (const name of benchmark === undefined ? benchmarks : [benchmark]) {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  if (!existsSync(program)) throw new Error(`bench/${name}.ts is missing`)
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', program, ...benchmarkArgs], { stdio: 'inherit' })
  if (status !== 0) hasFailed = true
}
process.exitCode = hasFailed ? 1 : 0
