import fc from 'fast-check'
import { expect, it } from 'vitest'
import { roundToStep, SPEED_RANGE } from './setting-values.ts'
import { fitSpeed, NIGHTCORE_BPM_RANGE } from './tempo-fit.ts'

it('fitSpeed: the result is a step of the slider with which the tempo reaches the range', () => {
  expect(fitSpeed(117, 0)).toBe(1.3)
  expect(fitSpeed(120, 0)).toBe(1.25)
  expect(fitSpeed(174, 0)).toBe(0.85)
  // A pitch of +12 semitones alone doubles the rate.
  expect(fitSpeed(75, 12)).toBe(1)
})

it('fitSpeed: if no speed reaches the range, the result is undefined', () => {
  expect(fitSpeed(60, 0)).toBeUndefined()
  expect(fitSpeed(400, 24)).toBe(0.1)
  expect(fitSpeed(4000, 0)).toBeUndefined()
})

it('fitSpeed: every result is a step of the slider with which the tempo reaches the range', () => {
  fc.assert(
    fc.property(fc.double({ min: 20, max: 400, noNaN: true }), fc.integer({ min: -12, max: 12 }), (bpm, pitchSemitones) => {
      const speed = fitSpeed(bpm, pitchSemitones)
      if (speed === undefined) return
      expect(speed).toBeGreaterThanOrEqual(SPEED_RANGE.min)
      expect(speed).toBeLessThanOrEqual(SPEED_RANGE.max)
      expect(roundToStep(speed, SPEED_RANGE)).toBe(speed)
      const resultingBpm = bpm * speed * 2 ** (pitchSemitones / 12)
      expect(resultingBpm).toBeGreaterThanOrEqual(NIGHTCORE_BPM_RANGE.from)
      expect(resultingBpm).toBeLessThanOrEqual(NIGHTCORE_BPM_RANGE.to)
    }),
  )
})

it('fitSpeed: with pitch 0, songs of 75 to 160 BPM can always reach the range', () => {
  fc.assert(fc.property(fc.double({ min: 75, max: 160, noNaN: true }), (bpm) => fitSpeed(bpm, 0) !== undefined))
})
