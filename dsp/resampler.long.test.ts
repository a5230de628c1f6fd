import { expect, it } from 'vitest'
import { designResampler } from './resampler-design.ts'
import { outputFrames, sourceRange } from './resampler-grid.ts'
import { wasmKernel } from './testing/kernels.ts'
import { sliderRates } from './testing/settings.ts'
import { residueDb, toneSnrDb, toneSource } from './testing/tone.ts'

const kernel = wasmKernel()
/** Output frames in each look, and where in the input they begin: at once, and after three quarters of an hour. */
const FRAMES = 3000
const STARTS = [3000, 120_000_000]

// At -6 dBFS against the tone as it should be: a wrong pitch of a millionth would leave 20 dB in the second look, a missing frame less.
it.each([997, 15_000])('every one of the 975 slider settings: a tone of %d Hz', (frequencyHz) => {
  expect(sliderRates).toHaveLength(975)
  let [leastSnrDb, mostResidueDb] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { rate } of sliderRates) {
    const design = designResampler(rate)
    for (const start of STARTS) {
      const firstFrame = Math.ceil(start / rate)
      const { startFrame, endFrame } = sourceRange(design, firstFrame, FRAMES)
      const tone = { frequencyHz, firstFrame: startFrame, frames: endFrame - startFrame }
      const output = new Float32Array(2 * FRAMES)
      kernel.resample(design, toneSource(tone), firstFrame, output)
      const heardHz = frequencyHz * rate
      if (heardHz > 22_050) mostResidueDb = Math.max(mostResidueDb, residueDb(output))
      // Between lies the slope of the filter.
      else if (heardHz < 20_900) leastSnrDb = Math.min(leastSnrDb, toneSnrDb(tone, rate, firstFrame, output))
    }
    expect(outputFrames(44_100 * 240, rate)).toBe(Math.round((44_100 * 240) / rate))
  }
  process.stdout.write(`${frequencyHz} Hz: SNR at least ${leastSnrDb.toFixed(1)} dB, aliases at most ${mostResidueDb.toFixed(1)} dB\n`)
  expect(leastSnrDb).toBeGreaterThan(134)
  if (frequencyHz === 15_000) expect(mostResidueDb).toBeLessThan(-135)
})
