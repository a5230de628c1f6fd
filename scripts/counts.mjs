/**
 * @typedef {{ passed: number, failed: number, failures: string[] }} Count `failures`: what failed and why, a text each
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} TestResult
 * @typedef {{ testResults: { name?: string, message?: string, status: string, assertionResults: TestResult[] }[] }} VitestReport
 * @typedef {{ message?: string }} PlaywrightError
 * @typedef {{ title: string, file: string, line: number, tests: { status: string, results: { errors: PlaywrightError[] }[] }[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number }, errors: PlaywrightError[], suites?: Suite[] }} PlaywrightReport
 */

const LINES_OF_A_REASON = 12

/**
 * A file that could not be loaded, an error outside of any test and a run without tests are failures too.
 *
 * @param {VitestReport} report Vitest's JSON report
 * @param {number} code the runner's exit code
 * @returns {Count}
 */
export function countVitest({ testResults }, code) {
  const passed = testResults.reduce((sum, file) => sum + countOf(file.assertionResults, 'passed'), 0)
  const failures = testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && file.status === 'failed') return [reason(`${file.name}`, [file.message])]
    return failed.map((test) => reason(`${file.name} ${test.fullName}`, test.failureMessages ?? []))
  })
  return settle(passed, failures.length, failures, code)
}

/**
 * A test that passed only when repeated, an error outside of any test and a run without tests are failures.
 *
 * @param {PlaywrightReport} report Playwright's JSON report
 * @param {number} code the runner's exit code
 * @returns {Count}
 */
export function countPlaywright({ stats, errors, suites = [] }, code) {
  const failures = [
    ...errors.map((error) => reason('outside of any test', [error.message])),
    ...suites
      .flatMap(specsOf)
      .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
      .map(({ title, file, line, tests }) => {
        const thrown = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
        return reason(
          `${file}:${line} ${title}`,
          thrown.map(({ message }) => message),
        )
      }),
  ]
  return settle(stats.expected, stats.unexpected + stats.flaky + errors.length, failures, code)
}

/** @param {number} passed @param {number} failed @param {string[]} failures @param {number} code @returns {Count} */
function settle(passed, failed, failures, code) {
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, failures }
}

/** @param {Suite} suite @returns {Spec[]} */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

/** @param {TestResult[]} tests @param {string} status */
const countOf = (tests, status) => tests.filter((test) => test.status === status).length

/** @param {string} title @param {(string | undefined)[]} messages */
function reason(title, messages) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal.
  const lines = messages.flatMap((message) => (message ?? '').replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n'))
  return [title, ...lines.filter((line) => line.trim() !== '').slice(0, LINES_OF_A_REASON)].join('\n    ')
}
