import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FIT_BPM, fitSpeed, SPEED, toStep } from './tempo-fit.ts'

it('brings a song into the range, by a step of the slider', () => {
  expect(fitSpeed(117, 0)).toBe(1.3)
  expect(fitSpeed(120, 0)).toBe(1.25)
  expect(fitSpeed(174, 0)).toBe(0.85)
  // An octave up doubles the rate by itself.
  expect(fitSpeed(75, 12)).toBe(1)
})

it('gives nothing where no speed gets there', () => {
  expect(fitSpeed(60, 0)).toBeUndefined()
  expect(fitSpeed(400, 24)).toBe(0.1)
  expect(fitSpeed(4000, 0)).toBeUndefined()
})

it('whatever it gives is a step of the slider, in its range, and lands in the range', () => {
  fc.assert(
    fc.property(fc.double({ min: 20, max: 400, noNaN: true }), fc.integer({ min: -12, max: 12 }), (bpm, pitch) => {
      const speed = fitSpeed(bpm, pitch)
      if (speed === undefined) return
      expect(speed).toBeGreaterThanOrEqual(SPEED.min)
      expect(speed).toBeLessThanOrEqual(SPEED.max)
      expect(toStep(speed, SPEED)).toBe(speed)
      const result = bpm * speed * 2 ** (pitch / 12)
      expect(result).toBeGreaterThanOrEqual(FIT_BPM.from)
      expect(result).toBeLessThanOrEqual(FIT_BPM.to)
    }),
  )
})

it('a tempo that 70 to 160 BPM can have always gets there with the pitch left alone', () => {
  fc.assert(fc.property(fc.double({ min: 75, max: 160, noNaN: true }), (bpm) => fitSpeed(bpm, 0) !== undefined))
})
