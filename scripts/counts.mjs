import { relative } from 'node:path'
import { root } from './node-version.mjs'

/**
 * @typedef {{ title: string, durationMs: number }} TimedTest
 * @typedef {{ passed: number, failed: number, failures: string[], tests: TimedTest[] }} Count `failures`: title and reason of each failed test
 * @typedef {{ status: string, fullName?: string, duration?: number | null, failureMessages?: string[] }} TestResult
 * @typedef {{ testResults: { name?: string, message?: string, status: string, assertionResults: TestResult[] }[] }} VitestReport
 * @typedef {{ message?: string }} PlaywrightError
 * @typedef {{ title: string, file: string, line: number, tests: { status: string, results: { duration?: number, errors: PlaywrightError[] }[] }[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number }, errors: PlaywrightError[], suites?: Suite[] }} PlaywrightReport
 */

const MAX_REASON_LINES = 12

/**
 * A file that could not be loaded, an error outside of any test and a run without tests are failures too.
 *
 * @param {VitestReport} report Vitest's JSON report
 * @param {number} exitCode the runner's exit code
 * @returns {Count}
 */
export function countVitest({ testResults }, exitCode) {
  const passedCount = testResults.reduce((sum, file) => sum + countTestsWithStatus(file.assertionResults, 'passed'), 0)
  const failures = testResults.flatMap((fileReport) => {
    const failedTests = fileReport.assertionResults.filter(({ status }) => status === 'failed')
    if (failedTests.length === 0 && fileReport.status === 'failed') return [findFailureReason(`${fileReport.name}`, [fileReport.message])]
    return failedTests.map((test) => findFailureReason(`${fileReport.name} ${test.fullName}`, test.failureMessages ?? []))
  })
  const timedTests = testResults.flatMap((fileReport) =>
    fileReport.assertionResults.map((testReport) => ({
      title: `${relative(root, fileReport.name ?? '')}: ${testReport.fullName}`,
      durationMs: testReport.duration ?? 0,
    })),
  )
  return createCount(passedCount, failures.length, { failures, tests: timedTests }, exitCode)
}

/**
 * A test that passed only when repeated, an error outside of any test and a run without tests are failures.
 *
 * @param {PlaywrightReport} report Playwright's JSON report
 * @param {number} exitCode the runner's exit code
 * @returns {Count}
 */
export function countPlaywright({ stats, errors, suites = [] }, exitCode) {
  const allSpecs = suites.flatMap(listSpecs)
  const failedSpecs = [
    ...errors.map((error) => findFailureReason('outside of any test', [error.message])),
    ...allSpecs
      .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
      .map(({ title, file, line, tests }) => {
        const thrownMessages = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
        return findFailureReason(
          `${file}:${line} ${title}`,
          thrownMessages.map(({ message }) => message),
        )
      }),
  ]
  const listDurationsMs = (/** @type {Spec} */ spec) => spec.tests.flatMap(({ results }) => results.map(({ duration = 0 }) => duration))
  const tests = allSpecs.map((spec) => ({ title: `e2e/${spec.file}: ${spec.title}`, durationMs: Math.max(0, ...listDurationsMs(spec)) }))
  return createCount(stats.expected, stats.unexpected + stats.flaky + errors.length, { failures: failedSpecs, tests }, exitCode)
}

/** @param {number} passed @param {number} failed @param {Pick<Count, 'failures' | 'tests'>} otherFields @param {number} exitCode @returns {Count} */
function createCount(passed, failed, otherFields, exitCode) {
  return { passed, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed, ...otherFields }
}

/** @param {Suite} suite @returns {Spec[]} */
const listSpecs = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(listSpecs)]

/** @param {TestResult[]} tests @param {string} status */
const countTestsWithStatus = (tests, status) => tests.filter((test) => test.status === status).length

/** @param {string} testTitle @param {(string | undefined)[]} messageTexts */
function findFailureReason(testTitle, messageTexts) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal.
  const lines = messageTexts.flatMap((message) => (message ?? '').replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n'))
  return [testTitle, ...lines.filter((line) => line.trim() !== '').slice(0, MAX_REASON_LINES)].join('\n    ')
}
