import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { countPlaywright, countVitest } from './counts.mjs'
import { root } from './node-version.mjs'
import { captureOutput, isCapturing, printText } from './output.mjs'

/**
 * @typedef {import('./counts.mjs').Count} Count
 * @typedef {{ name: string, run: () => Promise<Count> }} Step
 */

/** Tests of Vitest with this tag run in `npm run test:long`, and not in `npm test`. */
export const LONG_TAG = 'long'

/** @type {Count} */
export const onePassed = { passed: 1, failed: 0, failures: [], tests: [] }
/** @type {Count} */
export const oneFailed = { passed: 0, failed: 1, failures: [], tests: [] }

/**
 * Runs all steps in their order, up to `lanes` of them at the same time. A failure stops nothing. With several lanes, the output of a step
 * is printed as a whole when the step ends.
 *
 * @param {Step[]} queuedSteps @param {{ lanes?: number }} [options] @returns {Promise<Count>}
 */
export async function runSteps(queuedSteps, { lanes = 1 } = {}) {
  /** @type {string[]} */
  const summaryLines = []
  /** @type {Count} */
  const totalCounts = { passed: 0, failed: 0, failures: [], tests: [] }
  const stepQueue = [...queuedSteps]
  const runLane = async () => {
    for (let currentStep = stepQueue.shift(); currentStep !== undefined; currentStep = stepQueue.shift()) {
      const { count, line } = lanes === 1 ? await runStep(currentStep) : await runCaptured(currentStep)
      totalCounts.passed += count.passed
      totalCounts.failed += count.failed
      totalCounts.failures.push(...count.failures.map((failure) => `${currentStep.name}: ${failure}`))
      totalCounts.tests.push(...count.tests)
      summaryLines.push(line)
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  process.stdout.write(`\n${summaryLines.join('\n')}\n${totalCounts.failures.map((failure) => `\n${failure}\n`).join('')}`)
  return totalCounts
}

/** @param {Step} testStep */
async function runCaptured(testStep) {
  process.stdout.write(`   ... ${testStep.name}\n`)
  const { result, output } = await captureOutput(() => runStep(testStep))
  process.stdout.write(`${output}${result.line}\n`)
  return result
}

/** @param {Step} step */
async function runStep({ name, run }) {
  printText(`\n━━ ${name} ${'━'.repeat(Math.max(0, 76 - name.length))}\n`)
  const startMs = Date.now()
  const failureCount = await run().catch((error) => {
    printText(`${error instanceof Error ? error.message : String(error)}\n`)
    return oneFailed
  })
  const secondsText = ((Date.now() - startMs) / 1000).toFixed(1)
  const verdictText = failureCount.failed === 0 ? '  ok  ' : ' FAIL '
  return {
    count: failureCount,
    line: `${verdictText} ${name.padEnd(28)} ${failureCount.passed} passed, ${failureCount.failed} failed, ${secondsText} s`,
  }
}

/** Lists the tests that took longest. @param {Count['tests']} timedTests @param {number} [testCount] */
export function formatSlowestTests(timedTests, testCount = 20) {
  return [...timedTests]
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, testCount)
    .map(({ title, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${title}`)
}

/**
 * Runs a JavaScript file with Node, and stops it after `minutes`.
 *
 * @param {string[]} args
 * @param {{ minutes?: number, env?: Record<string, string> }} [options]
 * @returns {Promise<number>} the exit code; 1 if a signal ended the process
 */
export function runNode(args, { minutes = 5, env = {} } = {}) {
  return new Promise((resolve) => {
    const outputMode = isCapturing() ? 'pipe' : 'inherit'
    const childProcess = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', outputMode, outputMode],
    })
    for (const output of [childProcess.stdout, childProcess.stderr]) output?.setEncoding('utf8').on('data', printText)
    const timer = setTimeout(() => {
      printText(`stopped after ${minutes} minutes\n`)
      childProcess.kill('SIGTERM')
      setTimeout(() => childProcess.kill('SIGKILL'), 5000).unref()
    }, minutes * 60_000)
    const stopChild = () => childProcess.kill('SIGTERM')
    process.once('SIGTERM', stopChild)
    childProcess.once('close', (exitCode) => {
      clearTimeout(timer)
      process.removeListener('SIGTERM', stopChild)
      resolve(exitCode ?? 1)
    })
  })
}

/** Runs a check, which counts as one passed or failed test by its exit code. @param {string[]} args @returns {Promise<Count>} */
export const runCheck = async (...args) => ((await runNode(args)) === 0 ? onePassed : oneFailed)

/**
 * Runs a project of Vitest, and counts by its JSON report; a missing report is a failure.
 *
 * @param {string} projectName
 * @param {{ minutes: number, tagsFilter?: string, workers?: number }} options `tagsFilter` is an expression of tags, `!long` say
 * @returns {Promise<Count>}
 */
export async function runVitest(projectName, { minutes, tagsFilter, workers = availableParallelism() }) {
  const reportPath = `test-results/${projectName}${tagsFilter === LONG_TAG ? '-long' : ''}.json`
  rmSync(join(root, reportPath), { force: true })
  const exitCode = await runNode(
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--project', projectName, `--maxWorkers=${workers}`],
      ...['--reporter=dot', '--reporter=json', `--outputFile.json=${reportPath}`],
      ...(tagsFilter === undefined ? [] : [`--tagsFilter=${tagsFilter}`]),
    ],
    { minutes },
  )
  return countVitest(readReport(reportPath), exitCode)
}

/**
 * Runs projects of Playwright, and counts by its JSON report; a missing report is a failure.
 *
 * @param {string[]} projectNames
 * @param {number} timeoutMinutes
 * @returns {Promise<Count>}
 */
export async function runPlaywright(projectNames, timeoutMinutes) {
  const reportPath = 'test-results/e2e.json'
  rmSync(join(root, reportPath), { force: true })
  const exitCode = await runNode(
    ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', ...projectNames.map((project) => `--project=${project}`)],
    {
      minutes: timeoutMinutes,
    },
  )
  return countPlaywright(readReport(reportPath), exitCode)
}

/** @param {string} filePath */
function readReport(filePath) {
  try {
    return JSON.parse(readFileSync(join(root, filePath), 'utf8'))
  } catch {
    throw new Error(`the runner left no report in ${filePath}`)
  }
}
