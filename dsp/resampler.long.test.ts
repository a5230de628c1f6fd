import { expect, it } from 'vitest'
import { designResampler } from './resampler-design.ts'
import { computeSourceRange, countOutputFrames } from './resampler-grid.ts'
import { loadWasmKernel } from './testing/kernels.ts'
import { sliderRates } from './testing/settings.ts'
import { measureResidueDb, measureToneSnrDb, synthesizeTone } from './testing/tone.ts'

const testKernel = loadWasmKernel()
/** The number of tested output frames, and the input frames at which they begin: near the start, and after 45 minutes. */
const OUTPUT_FRAMES = 3000
const START_FRAMES = [3000, 120_000_000]

// Compares the output with the ideal tone at -6 dBFS. A pitch error of one millionth would reduce the second SNR to 20 dB, and a missing
// frame would reduce it further.
it.each([997, 15_000])('all 975 slider settings resample a tone of %d Hz cleanly', (frequencyHz) => {
  expect(sliderRates).toHaveLength(975)
  let [minSnrDb, maxResidueDb] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { rate } of sliderRates) {
    const resamplerDesign = designResampler(rate)
    for (const toneStartFrame of START_FRAMES) {
      const firstFrame = Math.ceil(toneStartFrame / rate)
      const { startFrame, endFrame } = computeSourceRange(resamplerDesign, firstFrame, OUTPUT_FRAMES)
      const sourceTone = { frequencyHz, firstFrame: startFrame, frames: endFrame - startFrame }
      const outputSamples = new Float32Array(2 * OUTPUT_FRAMES)
      testKernel.resample(resamplerDesign, synthesizeTone(sourceTone), firstFrame, outputSamples)
      const outputHz = frequencyHz * rate
      if (outputHz > 22_050) maxResidueDb = Math.max(maxResidueDb, measureResidueDb(outputSamples))
      // Frequencies from 20,900 to 22,050 Hz are not tested, because they lie in the filter's transition band.
      else if (outputHz < 20_900) minSnrDb = Math.min(minSnrDb, measureToneSnrDb(sourceTone, rate, firstFrame, outputSamples))
    }
    expect(countOutputFrames(44_100 * 240, rate)).toBe(Math.round((44_100 * 240) / rate))
  }
  process.stdout.write(`${frequencyHz} Hz: SNR at least ${minSnrDb.toFixed(1)} dB, aliases at most ${maxResidueDb.toFixed(1)} dB\n`)
  expect(minSnrDb).toBeGreaterThan(134)
  if (frequencyHz === 15_000) expect(maxResidueDb).toBeLessThan(-135)
})
