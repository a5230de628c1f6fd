import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KernelSource } from '../kernel.ts'
import { designResampler } from '../resampler-design.ts'
import { sourceRange } from '../resampler-grid.ts'
import { expectSameSamples } from '../testing/samples.ts'
import { sliderRates } from '../testing/settings.ts'
import { residueDb, toneSnrDb, toneSource } from '../testing/tone.ts'
import { resample } from './resample.ts'

const INPUT_FRAMES = 24_000
/** The number of input frames at each end that are affected by the onset and the end of the tone. */
const EDGE_FRAMES = 1600
const sources = new Map([997, 15_000].map((frequencyHz) => [frequencyHz, toneSource({ frequencyHz, frames: INPUT_FRAMES })]))

/** The tested rates are a selection of slider settings. `resampler.long.test.ts` tests all of them with the compiled kernel. */
const selectedRates = sliderRates.filter((_, index) => index % 41 === 0)

it.each(selectedRates)(
  'resampler: at speed $speed and pitch $pitch, a tone is clean, on pitch, in time and without aliases',
  ({ rate }) => {
    const design = designResampler(rate)
    for (const [frequencyHz, source] of sources) {
      const firstFrame = Math.ceil(EDGE_FRAMES / rate)
      const output = new Float32Array(2 * Math.min(4000, Math.floor((INPUT_FRAMES - EDGE_FRAMES) / rate) - firstFrame))
      resample(design, source, firstFrame, output)
      const outputHz = frequencyHz * rate
      if (outputHz > 22_050) expect(residueDb(output)).toBeLessThan(-137)
      else if (outputHz < 20_900) expect(toneSnrDb({ frequencyHz, frames: INPUT_FRAMES }, rate, firstFrame, output)).toBeGreaterThan(137)
    }
  },
)

it('a frame has the same bits in any requested range, computed from the complete source or only from its sourceRange', () => {
  const noiseSamples = (seed: number) => Float32Array.from({ length: 30_000 }, (_, index) => Math.sin(seed + index * index))
  const completeSource: KernelSource = { channels: [noiseSamples(1), noiseSamples(2)], startFrame: 0 }
  fc.assert(
    fc.property(
      fc.double({ min: 0.3, max: 4, noNaN: true }),
      fc.nat(5000),
      fc.integer({ min: 1, max: 2000 }),
      (rate, firstFrame, frames) => {
        const design = designResampler(rate)
        const completeOutput = new Float32Array(2 * (firstFrame + frames))
        resample(design, completeSource, 0, completeOutput)
        const { startFrame, endFrame } = sourceRange(design, firstFrame, frames)
        const start = Math.max(0, startFrame)
        const [left, right] = [
          noiseSamples(1).slice(start, Math.max(start, endFrame)),
          noiseSamples(2).slice(start, Math.max(start, endFrame)),
        ]
        const renderedSamples = new Float32Array(2 * frames)
        resample(design, { channels: [left, right], startFrame: start }, firstFrame, renderedSamples)
        expectSameSamples(renderedSamples, completeOutput.subarray(2 * firstFrame))
      },
    ),
    { numRuns: 15 },
  )
})

it('mono renders to the same samples as the left channel of stereo', () => {
  const [left] = toneSource({ frequencyHz: 997, frames: 5000 }).channels
  const design = designResampler(1.1)
  const [monoOutput, stereo] = [new Float32Array(3000), new Float32Array(6000)]
  resample(design, { channels: [left], startFrame: 0 }, 0, monoOutput)
  resample(design, { channels: [left, new Float32Array(5000)], startFrame: 0 }, 0, stereo)
  // Both channels share one transform. The crosstalk must still be below the rounding error, 80 dB below the least significant bit of a
  // 16-bit sample.
  monoOutput.forEach((value, frame) => {
    expect(Math.abs(value - (stereo[2 * frame] ?? Number.NaN))).toBeLessThan(1e-8)
  })
})

it('an empty source renders as silence, and a source of one frame as a filtered impulse', () => {
  const design = designResampler(1.25)
  const silence = new Float32Array(200)
  resample(design, { channels: [new Float32Array(0), new Float32Array(0)], startFrame: 0 }, 0, silence)
  expect(silence.every((value) => value === 0)).toBe(true)
  const clickSamples = new Float32Array(2)
  resample(design, { channels: [Float32Array.of(1), Float32Array.of(-1)], startFrame: 0 }, 0, clickSamples)
  // The tone lies in the passband: the filter passes 0.975 of the output bandwidth, which is the input bandwidth divided by 1.25.
  expect(clickSamples[0]).toBeCloseTo(0.975 / 1.25, 3)
  expect(clickSamples[1]).toBeCloseTo(-0.975 / 1.25, 3)
})
