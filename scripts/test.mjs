import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { checks } from './checks.mjs'
import { ensureEmulator } from './emulator.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { aptInstall, ensureInstalled } from './install.mjs'
import { requireNode } from './node-version.mjs'
import { LONG_TAG, runCheck, runPlaywright, runSteps, runVitest, slowestTests } from './steps.mjs'

// `npm test`: installs, builds, runs every check and every test, lists the slowest tests; the last line is `N passed, N failed`.
// `npm run test:long` runs the tests that are too long for `npm test`.

const isLong = process.argv.includes('--long')

function requireChromium() {
  const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  // The tests fall back from the headless shell, which is faster, to Chromium.
  if (process.env.CHROMIUM === undefined && !(existsSync(chromiumPath) && existsSync(`${chromiumPath}-headless-shell`)))
    aptInstall('chromium', 'chromium-headless-shell')
  if (existsSync(chromiumPath)) return
  throw new Error(`Chromium is missing at ${chromiumPath}: install it, or set CHROMIUM to the path of one`)
}

/** A step that counts only if it fails. @param {string} name @param {() => void | Promise<void>} run @returns {import('./steps.mjs').Step} */
const createPreparation = (name, run) => ({
  name,
  async run() {
    await run()
    return { passed: 0, failed: 0, failures: [], tests: [] }
  },
})
const install = createPreparation('Install', () => {
  requireNode()
  ensureInstalled()
  requireChromium()
  if (isLong) ensureEmulator()
})
const build = createPreparation('Build', () => ensureBuilt('kernel', 'client', 'server'))

const [types, lint, ...otherChecks] = checks
// The checks that fail most often run first. Unit, end-to-end and browser tests run beside each other, since each of them often waits.
const LANE_COUNT = 3
// The unit tests have one worker for each processor. With a single worker, they would still run when the other lanes have ended.
const browserWorkers = Math.ceil(availableParallelism() / LANE_COUNT)
/** @type {import('./steps.mjs').Step[]} */
const steps = [
  { name: 'Unit tests (Node)', run: () => runVitest('node', { minutes: 20, tagsFilter: `!${LONG_TAG}` }) },
  { name: 'End to end (Chromium)', run: () => runPlaywright(['site'], 30) },
  {
    name: 'Browser tests (Chromium)',
    run: () => runVitest('browser', { minutes: 20, tagsFilter: `!${LONG_TAG}`, workers: browserWorkers }),
  },
  ...otherChecks,
  // The page weight check fails if a route is heavier than its budget. `npm run bench -- weight` prints the same figures.
  { name: 'Page weight', run: () => runCheck('node_modules/tsx/dist/cli.mjs', 'bench/weight.ts') },
]
/** @type {import('./steps.mjs').Step[]} */
const longSteps = [
  { name: 'Long browser tests (Chromium)', run: () => runVitest('browser', { minutes: 30, tagsFilter: LONG_TAG }) },
  { name: 'Long unit tests (Node)', run: () => runVitest('node', { minutes: 30, tagsFilter: LONG_TAG }) },
  { name: 'Long tests (Node)', run: () => runVitest('long', { minutes: 80 }) },
  { name: 'Long end to end (Chromium)', run: () => runPlaywright(['long', 'long-site', 'two-processes'], 75) },
]

const counts = [await runSteps([install])]
if (isLong) counts.push(await runSteps([build]), await runSteps(longSteps))
// The build and the type check keep one processor busy each. The build is the last of the three, because it blocks this process.
else counts.push(await runSteps([types, lint, build], { lanes: LANE_COUNT }), await runSteps(steps, { lanes: LANE_COUNT }))
const passedCount = counts.reduce((sum, { passed }) => sum + passed, 0)
const failedCount = counts.reduce((sum, { failed }) => sum + failed, 0)
process.stdout.write(`\nThe 20 slowest tests:\n${slowestTests(counts.flatMap(({ tests }) => tests)).join('\n')}\n`)
process.stdout.write(`\n${passedCount} passed, ${failedCount} failed\n`)
process.exitCode = failedCount === 0 && passedCount > 0 ? 0 : 1
