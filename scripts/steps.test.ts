import { expect, test } from 'vitest'
import { captureOutput, printText } from './output.mjs'
import { formatSlowestTests, runNode } from './steps.mjs'

test('the output of programs that run at the same time is collected apart', async () => {
  const printWordByChild = (outputWord: string) =>
    captureOutput(async () => {
      printText(`${outputWord} starts\n`)
      return runNode(['-e', `console.log('${outputWord} 1'); console.error('${outputWord} 2'); process.exitCode = 3`])
    })
  const [firstResult, secondResult] = await Promise.all([printWordByChild('a'), printWordByChild('b')])
  for (const [outputWord, { result, output }] of [
    ['a', firstResult],
    ['b', secondResult],
  ] as const) {
    expect(result).toBe(3)
    expect(output.split('\n').sort()).toEqual(['', `${outputWord} 1`, `${outputWord} 2`, `${outputWord} starts`])
  }
})

test('a program that runs too long is stopped', async () => {
  const { result, output } = await captureOutput(() => runNode(['-e', 'setInterval(() => {}, 1000)'], { minutes: 1 / 600 }))
  expect(result).toBe(1)
  expect(output).toContain('stopped after')
})

test('the slowest tests are listed first, with their durations', () => {
  const timedTests = [
    { title: 'a', durationMs: 10 },
    { title: 'b', durationMs: 2_340 },
    { title: 'c', durationMs: 900 },
  ]
  expect(formatSlowestTests(timedTests, 2)).toEqual(['    2.3 s  b', '    0.9 s  c'])
})
