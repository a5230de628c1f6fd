import { expect, it } from 'vitest'
import { createProgressText } from './progress-text.ts'

it.each([
  [0.03, 500, '3 %'],
  [0.25, 5000, '25 %, about 15 s left'],
  [0.1, 20_000, '10 %, about 3 min left'],
  [1, 9000, '100 %, about 1 s left'],
])('the text for the progress %d after %d ms states the time left', (progressShare, nowMs, expectedText) => {
  const progressText = createProgressText()
  expect(progressText(0, 0)).toBe('0 %')
  expect(progressText(progressShare, nowMs)).toBe(expectedText)
})

it('the time left is estimated from the progress since the text was first shown', () => {
  const progressText = createProgressText()
  progressText(0.5, 1000)
  expect(progressText(0.75, 3000)).toBe('75 %, about 2 s left')
})
