import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KernelSource } from '../kernel.ts'
import { designResampler } from '../resampler-design.ts'
import { computeSourceRange } from '../resampler-grid.ts'
import { expectSameSamples } from '../testing/samples.ts'
import { sliderRates } from '../testing/settings.ts'
import { measureResidueDb, measureToneSnrDb, synthesizeTone } from '../testing/tone.ts'
import { resample } from './resample.ts'

const INPUT_FRAMES = 24_000
/** The number of input frames at each end that are affected by the onset and the end of the tone. */
const EDGE_FRAMES = 1600
const toneByFrequency = new Map([997, 15_000].map((frequencyHz) => [frequencyHz, synthesizeTone({ frequencyHz, frames: INPUT_FRAMES })]))

/** The tested rates are a selection of slider settings. `resampler.long.test.ts` tests all of them with the compiled kernel. */
const selectedRates = sliderRates.filter((_, index) => index % 41 === 0)

it.each(selectedRates)(
  'resampler: at speed $speed and pitch $pitch, a tone is clean, on pitch, in time and without aliases',
  ({ rate }) => {
    const resamplerDesign = designResampler(rate)
    for (const [frequencyHz, toneSource] of toneByFrequency) {
      const firstFrame = Math.ceil(EDGE_FRAMES / rate)
      const outputSamples = new Float32Array(2 * Math.min(4000, Math.floor((INPUT_FRAMES - EDGE_FRAMES) / rate) - firstFrame))
      resample(resamplerDesign, toneSource, firstFrame, outputSamples)
      const outputHz = frequencyHz * rate
      if (outputHz > 22_050) expect(measureResidueDb(outputSamples)).toBeLessThan(-137)
      else if (outputHz < 20_900)
        expect(measureToneSnrDb({ frequencyHz, frames: INPUT_FRAMES }, rate, firstFrame, outputSamples)).toBeGreaterThan(137)
    }
  },
)

it('a frame has the same bits in any requested range, computed from the complete source or only from its source range', () => {
  const synthesizeNoise = (seed: number) => Float32Array.from({ length: 30_000 }, (_, index) => Math.sin(seed + index * index))
  const completeSource: KernelSource = { channels: [synthesizeNoise(1), synthesizeNoise(2)], startFrame: 0 }
  fc.assert(
    fc.property(
      fc.double({ min: 0.3, max: 4, noNaN: true }),
      fc.nat(5000),
      fc.integer({ min: 1, max: 2000 }),
      (resamplingRate, firstFrame, frameCount) => {
        const resamplerDesign = designResampler(resamplingRate)
        const completeOutput = new Float32Array(2 * (firstFrame + frameCount))
        resample(resamplerDesign, completeSource, 0, completeOutput)
        const { startFrame, endFrame } = computeSourceRange(resamplerDesign, firstFrame, frameCount)
        const sourceStart = Math.max(0, startFrame)
        const [leftSamples, rightSamples] = [
          synthesizeNoise(1).slice(sourceStart, Math.max(sourceStart, endFrame)),
          synthesizeNoise(2).slice(sourceStart, Math.max(sourceStart, endFrame)),
        ]
        const renderedSamples = new Float32Array(2 * frameCount)
        resample(resamplerDesign, { channels: [leftSamples, rightSamples], startFrame: sourceStart }, firstFrame, renderedSamples)
        expectSameSamples(renderedSamples, completeOutput.subarray(2 * firstFrame))
      },
    ),
    { numRuns: 15 },
  )
})

it('mono renders to the same samples as the left channel of stereo', () => {
  const [leftSamples] = synthesizeTone({ frequencyHz: 997, frames: 5000 }).channels
  const resamplerDesign = designResampler(1.1)
  const [monoOutput, stereoOutput] = [new Float32Array(3000), new Float32Array(6000)]
  resample(resamplerDesign, { channels: [leftSamples], startFrame: 0 }, 0, monoOutput)
  resample(resamplerDesign, { channels: [leftSamples, new Float32Array(5000)], startFrame: 0 }, 0, stereoOutput)
  // Both channels share one transform. The crosstalk must still be below the rounding error, 80 dB below the least significant bit of a
  // 16-bit sample.
  monoOutput.forEach((value, frame) => {
    expect(Math.abs(value - (stereoOutput[2 * frame] ?? Number.NaN))).toBeLessThan(1e-8)
  })
})

it('an empty source renders as silence, and a source of one frame as a filtered impulse', () => {
  const resamplerDesign = designResampler(1.25)
  const silentSamples = new Float32Array(200)
  resample(resamplerDesign, { channels: [new Float32Array(0), new Float32Array(0)], startFrame: 0 }, 0, silentSamples)
  expect(silentSamples.every((value) => value === 0)).toBe(true)
  const clickSamples = new Float32Array(2)
  resample(resamplerDesign, { channels: [Float32Array.of(1), Float32Array.of(-1)], startFrame: 0 }, 0, clickSamples)
  // The tone lies in the passband: the filter passes 0.975 of the output bandwidth, which is the input bandwidth divided by 1.25.
  expect(clickSamples[0]).toBeCloseTo(0.975 / 1.25, 3)
  expect(clickSamples[1]).toBeCloseTo(-0.975 / 1.25, 3)
})
