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
 * @param {Step[]} steps @param {{ lanes?: number }} [options] @returns {Promise<Count>}
 */
export async function runSteps(steps, { lanes = 1 } = {}) {
  /** @type {string[]} */
  const summaryLines = []
  /** @type {Count} */
  const total = { passed: 0, failed: 0, failures: [], tests: [] }
  const queue = [...steps]
  const runLane = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      const { count, line } = lanes === 1 ? await runStep(step) : await runCaptured(step)
      total.passed += count.passed
      total.failed += count.failed
      total.failures.push(...count.failures.map((failure) => `${step.name}: ${failure}`))
      total.tests.push(...count.tests)
      summaryLines.push(line)
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  process.stdout.write(`\n${summaryLines.join('\n')}\n${total.failures.map((failure) => `\n${failure}\n`).join('')}`)
  return total
}

/** @param {Step} step */
async function runCaptured(step) {
  process.stdout.write(`   ... ${step.name}\n`)
  const { result, output } = await captureOutput(() => runStep(step))
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
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
  const verdict = failureCount.failed === 0 ? '  ok  ' : ' FAIL '
  return {
    count: failureCount,
    line: `${verdict} ${name.padEnd(28)} ${failureCount.passed} passed, ${failureCount.failed} failed, ${seconds} s`,
  }
}

/** Lists the tests that took longest. @param {Count['tests']} tests @param {number} [testCount] */
export function slowestTests(tests, testCount = 20) {
  return [...tests]
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
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', outputMode, outputMode] })
    for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', printText)
    const timer = setTimeout(() => {
      printText(`stopped after ${minutes} minutes\n`)
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 5000).unref()
    }, minutes * 60_000)
    const stopChild = () => child.kill('SIGTERM')
    process.once('SIGTERM', stopChild)
    child.once('close', (code) => {
      clearTimeout(timer)
      process.removeListener('SIGTERM', stopChild)
      resolve(code ?? 1)
    })
  })
}

/** Runs a check, which counts as one passed or failed test by its exit code. @param {string[]} args @returns {Promise<Count>} */
export const runCheck = async (...args) => ((await runNode(args)) === 0 ? onePassed : oneFailed)

/**
 * Runs a project of Vitest, and counts by its JSON report; a missing report is a failure.
 *
 * @param {string} project
 * @param {{ minutes: number, tagsFilter?: string, workers?: number }} options `tagsFilter` is an expression of tags, `!long` say
 * @returns {Promise<Count>}
 */
export async function runVitest(project, { minutes, tagsFilter, workers = availableParallelism() }) {
  const reportPath = `test-results/${project}${tagsFilter === LONG_TAG ? '-long' : ''}.json`
  rmSync(join(root, reportPath), { force: true })
  const code = await runNode(
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--project', project, `--maxWorkers=${workers}`],
      ...['--reporter=dot', '--reporter=json', `--outputFile.json=${reportPath}`],
      ...(tagsFilter === undefined ? [] : [`--tagsFilter=${tagsFilter}`]),
    ],
    { minutes },
  )
  return countVitest(readReport(reportPath), code)
}

/**
 * Runs projects of Playwright, and counts by its JSON report; a missing report is a failure.
 *
 * @param {string[]} projects
 * @param {number} minutes
 * @returns {Promise<Count>}
 */
export async function runPlaywright(projects, minutes) {
  const report = 'test-results/e2e.json'
  rmSync(join(root, report), { force: true })
  const code = await runNode(
    ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', ...projects.map((project) => `--project=${project}`)],
    {
      minutes,
    },
  )
  return countPlaywright(readReport(report), code)
}

/** @param {string} filePath */
function readReport(filePath) {
  try {
    return JSON.parse(readFileSync(join(root, filePath), 'utf8'))
  } catch {
    throw new Error(`the runner left no report in ${filePath}`)
  }
}
