import { expect, it } from 'vitest'
import { describePlatformEffect, formatLevel } from './level-texts.ts'

it.each([
  [-10.8, 'The video platform will turn this down by 3.2\u00a0dB.'],
  [-14.02, 'The video platform will leave this as it is.'],
  [-20, 'The video platform will leave this as it is: it turns nothing up.'],
  [Number.NEGATIVE_INFINITY, 'The video platform will leave this as it is: it turns nothing up.'],
])('describePlatformEffect: the text says what the platform does to a sound of %f LUFS', (lufs, text) => {
  expect(describePlatformEffect({ lufs, truePeakDb: -1 })).toBe(text)
})

it('formatLevel: the text states loudness and true peak; silence and short sounds have no loudness', () => {
  expect(formatLevel({ lufs: -9.84, truePeakDb: 0.31 })).toBe('−9.8 LUFS, true peak 0.3 dBTP')
  expect(formatLevel({ lufs: Number.NEGATIVE_INFINITY, truePeakDb: -3 })).toBe('too quiet or short for a loudness, true peak −3.0 dBTP')
  expect(formatLevel({ lufs: Number.NEGATIVE_INFINITY, truePeakDb: Number.NEGATIVE_INFINITY })).toBe('silence')
})
