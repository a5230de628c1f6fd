import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { checks } from './checks.mjs'
import { ensureEmulator } from './emulator.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, installPackages } from './install.mjs'
import { requireNode } from './node-version.mjs'
import { formatSlowestTests, LONG_TAG, runCheck, runPlaywright, runSteps, runVitest } from './steps.mjs'

// `npm test`: installs, builds, runs every check and every test, lists the slowest tests; the last line is `N passed, N failed`.
// `npm run test:long` runs the tests that are too long for `npm test`.

const includesLongTests = process.argv.includes('--long')

function requireChromium() {
  const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  // The tests fall back from the headless shell, which is faster, to Chromium.
  if (process.env.CHROMIUM === undefined && !(existsSync(chromiumPath) && existsSync(`${chromiumPath}-headless-shell`)))
    installPackages('chromium', 'chromium-headless-shell')
  if (existsSync(chromiumPath)) return
  throw new Error(`Chromium is missing at ${chromiumPath}: install it, or set CHROMIUM to the path of one`)
}

/** A step that counts only if it fails. @param {string} stepName @param {() => void | Promise<void>} runStep @returns {import('./steps.mjs').Step} */
const createPreparationStep = (stepName, runStep) => ({
  name: stepName,
  async run() {
    await runStep()
    return { passed: 0, failed: 0, failures: [], tests: [] }
  },
})
const installStep = createPreparationStep('Install', () => {
  requireNode()
  ensureInstalled()
  requireChromium()
  if (includesLongTests) ensureEmulator()
})
const buildStep = createPreparationStep('Build', () => ensureBuilt('kernel', 'client', 'server'))

const [typesCheck, lintCheck, ...otherChecks] = checks
// The checks that fail most often run first. Unit, end-to-end and browser tests run beside each other, since each of them often waits.
const LANE_COUNT = 3
// Browser tests have workers for a third of the processors. Unit tests have a worker for each processor, because with fewer they would end last.
const browserWorkers = Math.ceil(availableParallelism() / LANE_COUNT)
/** @type {import('./steps.mjs').Step[]} */
const testSteps = [
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

const stepCounts = [await runSteps([installStep])]
if (includesLongTests) stepCounts.push(await runSteps([buildStep]), await runSteps(longSteps))
// The build and the type check keep one processor busy each. The build comes after both checks, because it blocks this process.
else
  stepCounts.push(
    await runSteps([typesCheck, lintCheck, buildStep], { lanes: LANE_COUNT }),
    await runSteps(testSteps, { lanes: LANE_COUNT }),
  )
const passedCount = stepCounts.reduce((sum, { passed }) => sum + passed, 0)
const failedCount = stepCounts.reduce((sum, { failed }) => sum + failed, 0)
process.stdout.write(`\nThe 20 slowest tests:\n${formatSlowestTests(stepCounts.flatMap(({ tests }) => tests)).join('\n')}\n`)
process.stdout.write(`\n${passedCount} passed, ${failedCount} failed\n`)
process.exitCode = failedCount === 0 && passedCount > 0 ? 0 : 1
