import { existsSync } from 'node:fs'
import { checks } from './checks.mjs'
import { ensureEmulator } from './emulator.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { aptInstall, ensureInstalled } from './install.mjs'
import { requireNode } from './node-version.mjs'
import { check, playwright, runSteps, vitest } from './steps.mjs'

// `npm test`: install, build, every check and every test; the last line is `N passed, N failed`.
// `npm run test:long` runs the tests that take too long for that.

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
const requireChromium = () => {
  if (existsSync(chromium) || (process.env.CHROMIUM === undefined && aptInstall('chromium') && existsSync(chromium))) return
  throw new Error(`Chromium is missing at ${chromium}: install it, or set CHROMIUM to the path of one`)
}

/** @type {import('./steps.mjs').Step[]} */
const steps = [
  ...checks,
  // The built program against its budget, as `npm run bench -- weight` prints it.
  { name: 'Page weight', run: () => check('node_modules/tsx/dist/cli.mjs', 'bench/weight.ts') },
  { name: 'Unit tests (Node)', run: () => vitest('node', 10) },
  {
    name: 'Browser tests (Chromium)',
    async run() {
      requireChromium()
      return vitest('browser', 10)
    },
  },
  {
    name: 'End to end (Chromium)',
    async run() {
      requireChromium()
      return playwright(['site'], 15)
    },
  },
]
/** @type {import('./steps.mjs').Step[]} */
const longSteps = [
  { name: 'Long tests (Node)', run: () => vitest('long', 60) },
  {
    name: 'Long end to end (Chromium)',
    async run() {
      requireChromium()
      // Before the clock of a test runs.
      ensureEmulator()
      return playwright(['long', 'long-site'], 30)
    },
  },
]

/** Not a check, so it adds nothing where it works. @param {() => void | Promise<void>} run */
const preparation = (run) => async () => {
  await run()
  return { passed: 0, failed: 0, failures: [] }
}
/** @type {import('./steps.mjs').Step[]} */
const preparations = [
  {
    name: 'Install',
    run: preparation(() => {
      requireNode()
      ensureInstalled()
    }),
  },
  { name: 'Build', run: preparation(() => ensureBuilt('kernel', 'client', 'server')) },
]
const { passed, failed } = await runSteps([...preparations, ...(process.argv.includes('--long') ? longSteps : steps)])
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
