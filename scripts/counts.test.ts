import { expect, it } from 'vitest'
import { countPlaywright, countVitest } from './counts.mjs'

const testFileReport = (status: string, ...results: string[]) => ({
  name: 'some.test.ts',
  message: 'cannot be loaded',
  status,
  assertionResults: results.map((result, index) => ({
    status: result,
    fullName: `test ${index}`,
    failureMessages: result === 'failed' ? ['\u001b[31mexpected 1\u001b[39m\n\nto be 2'] : [],
  })),
})
const counts = { passed: 2, failed: 1 }

it('test counts: the tests of all files add up, without the skipped ones', () => {
  const testResults = [testFileReport('passed', 'passed', 'passed', 'skipped'), testFileReport('failed', 'passed', 'failed', 'failed')]
  expect(countVitest({ testResults }, 1)).toMatchObject({ passed: 3, failed: 2 })
})

it('test counts: a file that could not be loaded is a failure', () => {
  expect(countVitest({ testResults: [testFileReport('passed', 'passed', 'passed'), testFileReport('failed')] }, 1)).toMatchObject(counts)
})

it('test counts: an error outside of any test is a failure', () => {
  expect(countVitest({ testResults: [testFileReport('passed', 'passed', 'passed')] }, 1)).toMatchObject(counts)
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0 }, errors: [{}] }, 1)).toMatchObject(counts)
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0 }, errors: [] }, 1)).toMatchObject(counts)
})

it('test counts: a run without tests is a failure', () => {
  expect(countVitest({ testResults: [] }, 0)).toMatchObject({ passed: 0, failed: 1 })
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [] }, 0)).toMatchObject({ passed: 0, failed: 1 })
})

it('test counts: a test that passed only when repeated is a failure', () => {
  expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1 }, errors: [] }, 1)).toMatchObject({ passed: 5, failed: 2 })
})

it('test counts: the failed tests are listed with their errors', () => {
  expect(countVitest({ testResults: [testFileReport('failed', 'passed', 'failed'), testFileReport('failed')] }, 1).failures).toEqual([
    'some.test.ts test 1\n    expected 1\n    to be 2',
    'some.test.ts\n    cannot be loaded',
  ])
  const specReport = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'some.spec.ts',
    line: 3,
    tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  })
  const suites = [
    {
      specs: [specReport('holds', 'expected')],
      suites: [{ specs: [specReport('breaks', 'unexpected', 'Error: no row\n  Call log', 'and later')] }],
    },
  ]
  expect(
    countPlaywright({ stats: { expected: 1, unexpected: 1, flaky: 0 }, errors: [{ message: 'no server' }], suites }, 1).failures,
  ).toEqual(['outside of any test\n    no server', 'some.spec.ts:3 breaks\n    Error: no row\n      Call log\n    and later'])
})
