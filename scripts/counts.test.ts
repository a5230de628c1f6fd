import { expect, it } from 'vitest'
import { countPlaywright, countVitest } from './counts.mjs'

const file = (status: string, ...results: string[]) => ({ status, assertionResults: results.map((each) => ({ status: each })) })

it('adds up the tests of all files, skipped ones aside', () => {
  const testResults = [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'passed', 'failed', 'failed')]
  expect(countVitest({ testResults }, 1)).toEqual({ passed: 3, failed: 2 })
})

it('counts a file that could not be loaded as a failure', () => {
  expect(countVitest({ testResults: [file('passed', 'passed'), file('failed')] }, 1)).toEqual({ passed: 1, failed: 1 })
})

it('counts an error outside of any test as a failure', () => {
  expect(countVitest({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 })
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0 }, errors: [{}] }, 1)).toEqual({ passed: 2, failed: 1 })
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0 }, errors: [] }, 1)).toEqual({ passed: 2, failed: 1 })
})

it('counts a run without tests as a failure', () => {
  expect(countVitest({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1 })
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [] }, 0)).toEqual({ passed: 0, failed: 1 })
})

it('counts a test that needed a second try as a failure', () => {
  expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1 }, errors: [] }, 1)).toEqual({ passed: 5, failed: 2 })
})
