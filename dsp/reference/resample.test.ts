import fc from 'fast-check'
import { expect, it } from 'vitest'
import { designResampler } from '../resampler-design.ts'
import { sourceRange } from '../resampler-grid.ts'
import type { Source } from '../source.ts'
import { sliderRates } from '../testing/settings.ts'
import { residueDb, toneSnrDb, toneSource } from '../testing/tone.ts'
import { resample } from './resample.ts'

const FRAMES = 24_000
/** Frames that the ends of a tone reach into. */
const EDGE = 1600
const sources = new Map([997, 15_000].map((frequencyHz) => [frequencyHz, toneSource({ frequencyHz, frames: FRAMES })]))

/** Settings spread over all of them; `resample.long.test.ts` takes every one, and the compiled kernel. */
const spread = sliderRates.filter((_, index) => index % 41 === 0)

it.each(spread)('speed $speed, pitch $pitch: clean, on pitch, in time, without aliases', ({ rate }) => {
  const design = designResampler(rate)
  for (const [frequencyHz, source] of sources) {
    const firstFrame = Math.ceil(EDGE / rate)
    const output = new Float32Array(2 * Math.min(4000, Math.floor((FRAMES - EDGE) / rate) - firstFrame))
    resample(design, source, firstFrame, output)
    const heardHz = frequencyHz * rate
    if (heardHz > 22_050) expect(residueDb(output)).toBeLessThan(-137)
    else if (heardHz < 20_900) expect(toneSnrDb({ frequencyHz, frames: FRAMES }, rate, firstFrame, output)).toBeGreaterThan(137)
  }
})

it('gives each frame the same bits, whole or in parts, from all of the source or what it needs of it', () => {
  const noise = (seed: number) => Float32Array.from({ length: 30_000 }, (_, index) => Math.sin(seed + index * index))
  const whole: Source = { channels: [noise(1), noise(2)], startFrame: 0 }
  fc.assert(
    fc.property(fc.double({ min: 0.3, max: 4, noNaN: true }), fc.nat(5000), fc.integer({ min: 1, max: 2000 }), (rate, from, frames) => {
      const design = designResampler(rate)
      const all = new Float32Array(2 * (from + frames))
      resample(design, whole, 0, all)
      const { startFrame, endFrame } = sourceRange(design, from, frames)
      const start = Math.max(0, startFrame)
      const [left, right] = [noise(1).slice(start, Math.max(start, endFrame)), noise(2).slice(start, Math.max(start, endFrame))]
      const part = new Float32Array(2 * frames)
      resample(design, { channels: [left, right], startFrame: start }, from, part)
      expect(part).toEqual(all.subarray(2 * from))
    }),
    { numRuns: 15 },
  )
})

it('renders one channel as the left of two', () => {
  const [left] = toneSource({ frequencyHz: 997, frames: 5000 }).channels
  const design = designResampler(1.1)
  const [mono, stereo] = [new Float32Array(3000), new Float32Array(6000)]
  resample(design, { channels: [left], startFrame: 0 }, 0, mono)
  resample(design, { channels: [left, new Float32Array(5000)], startFrame: 0 }, 0, stereo)
  // The silent right channel shares a transform with it, which leaves it below the last bit of a 16-bit sample by 80 dB.
  mono.forEach((value, frame) => {
    expect(Math.abs(value - (stereo[2 * frame] ?? Number.NaN))).toBeLessThan(1e-8)
  })
})

it('renders nothing from nothing, and a single frame as a filtered click', () => {
  const design = designResampler(1.25)
  const silence = new Float32Array(200)
  resample(design, { channels: [new Float32Array(0), new Float32Array(0)], startFrame: 0 }, 0, silence)
  expect(silence.every((value) => value === 0)).toBe(true)
  const click = new Float32Array(2)
  resample(design, { channels: [Float32Array.of(1), Float32Array.of(-1)], startFrame: 0 }, 0, click)
  // 0.975 of the band of 1 / 1.25 of the samples is left of it.
  expect(click[0]).toBeCloseTo(0.975 / 1.25, 3)
  expect(click[1]).toBeCloseTo(-0.975 / 1.25, 3)
})
