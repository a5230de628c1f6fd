import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/node-version.mjs'
import { listSourceFiles } from '../scripts/source-files.mjs'

/** Runs the test files that measure durations, with `expectFasterThan` asserting. The limits are for a machine without other load. */
const timedTestFiles = listSourceFiles().filter(
  (file) => /\.test\.tsx?$/.test(file) && readFileSync(join(root, file), 'utf8').includes('expectFasterThan('),
)
const vitestPath = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(
  process.execPath,
  [vitestPath, 'run', '--project', 'node', '--project', 'browser', '--maxWorkers=1', ...timedTestFiles],
  {
    cwd: root,
    env: { ...process.env, TIMINGS: 'on' },
    stdio: 'inherit',
  },
)
process.exitCode = timedTestFiles.length === 0 ? 1 : (status ?? 1)
