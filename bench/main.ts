import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FIGURES_FILE_VARIABLE, type Figure } from './report.ts'
import { readRuns, writeReport } from './written-report.ts'

/**
 * `npm run bench`: runs all benchmarks and writes the report to `docs/benchmarks/`. `npm run bench -- --report NAME…` does so for some; the report keeps
 * the figures of the others. `npm run bench -- BENCHMARK [ARGUMENTS]` only runs one. Each benchmark is a program in this folder.
 */
const benchmarkEntries = [
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

const REPORT_OPTION = '--report'
const [firstArgument, ...otherArguments] = process.argv.slice(2)
const isReported = firstArgument === undefined || firstArgument === REPORT_OPTION
const benchmarkNames = firstArgument === undefined ? benchmarkEntries : isReported ? otherArguments : [firstArgument]
const benchmarkArgs = isReported ? [] : otherArguments
const unknownName = benchmarkNames.find((name) => ![...benchmarkEntries, ...namedBenchmarks].includes(name))
if (unknownName !== undefined) {
  process.stderr.write(`Unknown benchmark '${unknownName}'. Known benchmarks: ${[...benchmarkEntries, ...namedBenchmarks].join(', ')}\n`)
  process.exit(2)
}

/** Returns the commit of the measured files, followed by `+` if files differ from it. */
function describeCommit(): string {
  const runGit = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
  return (
    runGit('rev-parse', '--short', 'HEAD') +
    (runGit('status', '--porcelain', '--untracked-files=no', ':!docs/benchmarks') === '' ? '' : '+')
  )
}

const workDir = mkdtempSync(join(tmpdir(), 'varispeed-bench-report-'))
let hasBenchmarkFailed = false
for (const benchmarkName of benchmarkNames) {
  const programPath = fileURLToPath(new URL(`./${benchmarkName}.ts`, import.meta.url))
  if (!existsSync(programPath)) throw new Error(`bench/${benchmarkName}.ts is missing`)
  process.stdout.write(`\n== ${benchmarkName}\n`)
  const figuresFile = join(workDir, benchmarkName)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', programPath, ...benchmarkArgs], {
    stdio: 'inherit',
    env: isReported ? { ...process.env, [FIGURES_FILE_VARIABLE]: figuresFile } : process.env,
  })
  if (status !== 0) hasBenchmarkFailed = true
  if (!isReported || !existsSync(figuresFile)) continue
  const figures: Figure[] = readFileSync(figuresFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  writeReport({ ...readRuns(), [benchmarkName]: { measuredAt: new Date().toISOString(), commit: describeCommit(), figures } })
}
rmSync(workDir, { recursive: true })
process.exitCode = hasBenchmarkFailed ? 1 : 0
