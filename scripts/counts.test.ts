import { expect, it } from 'vitest'
import { countPlaywright, countVitest } from './counts.mjs'

const createFileReport = (fileStatus: string, ...testStatuses: string[]) => ({
  name: 'some.test.ts',
  message: 'cannot be loaded',
  status: fileStatus,
  assertionResults: testStatuses.map((testStatus, index) => ({
    status: testStatus,
    fullName: `test ${index}`,
    failureMessages: testStatus === 'failed' ? ['\u001b[31mexpected 1\u001b[39m\n\nto be 2'] : [],
  })),
})
const exampleCounts = { passed: 2, failed: 1 }

it('test counts: the tests of all files add up, without the skipped ones', () => {
  const testResults = [createFileReport('passed', 'passed', 'passed', 'skipped'), createFileReport('failed', 'passed', 'failed', 'failed')]
  expect(countVitest({ testResults }, 1)).toMatchObject({ passed: 3, failed: 2 })
})

it('test counts: a file that could not be loaded is a failure', () => {
  expect(countVitest({ testResults: [createFileReport('passed', 'passed', 'passed'), createFileReport('failed')] }, 1)).toMatchObject(
    exampleCounts,
  )
})

it('test counts: an error outside of any test is a failure', () => {
  expect(countVitest({ testResults: [createFileReport('passed', 'passed', 'passed')] }, 1)).toMatchObject(exampleCounts)
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0 }, errors: [{}] }, 1)).toMatchObject(exampleCounts)
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0 }, errors: [] }, 1)).toMatchObject(exampleCounts)
})

it('test counts: a run without tests is a failure', () => {
  expect(countVitest({ testResults: [] }, 0)).toMatchObject({ passed: 0, failed: 1 })
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [] }, 0)).toMatchObject({ passed: 0, failed: 1 })
})

it('test counts: a test that passed only when repeated is a failure', () => {
  expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1 }, errors: [] }, 1)).toMatchObject({ passed: 5, failed: 2 })
})

it('test counts: the failed tests are listed with their errors', () => {
  expect(countVitest({ testResults: [createFileReport('failed', 'passed', 'failed'), createFileReport('failed')] }, 1).failures).toEqual([
    'some.test.ts test 1\n    expected 1\n    to be 2',
    'some.test.ts\n    cannot be loaded',
  ])
  const createSpecReport = (specTitle: string, specStatus: string, ...errorMessages: string[]) => ({
    title: specTitle,
    file: 'some.spec.ts',
    line: 3,
    tests: [{ status: specStatus, results: [{ errors: errorMessages.map((message) => ({ message })) }] }],
  })
  const exampleSuites = [
    {
      specs: [createSpecReport('holds', 'expected')],
      suites: [{ specs: [createSpecReport('breaks', 'unexpected', 'Error: no row\n  Call log', 'and later')] }],
    },
  ]
  expect(
    countPlaywright({ stats: { expected: 1, unexpected: 1, flaky: 0 }, errors: [{ message: 'no server' }], suites: exampleSuites }, 1)
      .failures,
  ).toEqual(['outside of any test\n    no server', 'some.spec.ts:3 breaks\n    Error: no row\n      Call log\n    and later'])
})
