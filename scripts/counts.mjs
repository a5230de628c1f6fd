/**
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {{ status: string }} TestResult
 * @typedef {{ testResults: { status: string, assertionResults: TestResult[] }[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number }, errors: unknown[] }} PlaywrightReport
 */

/**
 * A file that could not be loaded, an error outside of any test and a run without tests are failures too.
 *
 * @param {VitestReport} report Vitest's JSON report
 * @param {number} code the runner's exit code
 * @returns {Count}
 */
export function countVitest({ testResults }, code) {
  const passed = testResults.reduce((sum, file) => sum + countOf(file.assertionResults, 'passed'), 0)
  const failed = testResults.reduce((sum, file) => {
    const failures = countOf(file.assertionResults, 'failed')
    return sum + (file.status === 'failed' ? Math.max(failures, 1) : failures)
  }, 0)
  return settle(passed, failed, code)
}

/**
 * A test that passed only when repeated, an error outside of any test and a run without tests are failures.
 *
 * @param {PlaywrightReport} report Playwright's JSON report
 * @param {number} code the runner's exit code
 * @returns {Count}
 */
export function countPlaywright({ stats, errors }, code) {
  return settle(stats.expected, stats.unexpected + stats.flaky + errors.length, code)
}

/** @param {number} passed @param {number} failed @param {number} code @returns {Count} */
function settle(passed, failed, code) {
  return failed === 0 && (code !== 0 || passed === 0) ? { passed, failed: 1 } : { passed, failed }
}

/** @param {TestResult[]} tests @param {string} status */
const countOf = (tests, status) => tests.filter((test) => test.status === status).length
