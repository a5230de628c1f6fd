import { expect, it } from 'vitest'
import { createComplexArray, fft, inverseFft } from './fft.ts'
import { computeImpulseFrames, computeReverbSecondsAt, designImpulse, type ImpulseResponse } from './reverb.ts'
import { expectSameSamples } from './testing/samples.ts'

const SAMPLE_RATE = 44_100
const computeEnergy = (samples: Float32Array | Float64Array) => {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return energy
}

it('reverb: the impulse response is deterministic', () => {
  const [firstImpulse, anotherImpulse] = [designImpulse(1, SAMPLE_RATE), designImpulse(1, SAMPLE_RATE)]
  expectSameSamples(firstImpulse.re, anotherImpulse.re)
  expectSameSamples(firstImpulse.im, anotherImpulse.im)
  expect(designImpulse(1, SAMPLE_RATE).re).toHaveLength(computeImpulseFrames(1, SAMPLE_RATE))
})

it.each([0.2, 3])('reverb: the impulse response of %d s has an energy of 1', (reverbSeconds) => {
  for (const sampleRate of [8000, SAMPLE_RATE, 192_000]) {
    const { re, im } = designImpulse(reverbSeconds, sampleRate)
    expect(computeEnergy(re) + computeEnergy(im)).toBeCloseTo(1, 5)
  }
})

/**
 * Returns the remaining energy of the impulse response at each frame from `firstFrame` on, in dB. Only frequencies from `fromHz` to `toHz`
 * count (M. R. Schroeder, "New method of measuring reverberation time", 1965).
 */
function measureDecayCurveDb({ re, im }: ImpulseResponse, firstFrame: number, fromHz: number, toHz: number): Float64Array {
  const impulseSpectrum = createComplexArray(2 ** Math.ceil(Math.log2(re.length)))
  impulseSpectrum.re.set(re)
  impulseSpectrum.im.set(im)
  fft(impulseSpectrum)
  const spectrumLength = impulseSpectrum.re.length
  for (let binIndex = 0; binIndex < spectrumLength; binIndex++) {
    const frequencyHz = (Math.min(binIndex, spectrumLength - binIndex) * SAMPLE_RATE) / spectrumLength
    if (frequencyHz >= fromHz && frequencyHz <= toHz) continue
    impulseSpectrum.re[binIndex] = 0
    impulseSpectrum.im[binIndex] = 0
  }
  inverseFft(impulseSpectrum)
  const binEnergies = impulseSpectrum.re
    .map((value, frame) => value ** 2 + (impulseSpectrum.im[frame] ?? 0) ** 2)
    .subarray(firstFrame, re.length)
  let remainingEnergy = 0
  for (let frame = binEnergies.length - 1; frame >= 0; frame--) {
    remainingEnergy += binEnergies[frame] ?? 0
    binEnergies[frame] = remainingEnergy
  }
  return binEnergies.map((energy) => 10 * Math.log10(energy / remainingEnergy))
}

/** Returns the reverberation time T20 in seconds, measured by linear regression of the decay from -5 to -25 dB (ISO 3382-1). */
function measureReverberationSeconds(curveDb: Float64Array): number {
  const [fromBlock, toBlock] = [curveDb.findIndex((db) => db <= -5), curveDb.findIndex((db) => db <= -25)]
  const blockLevelsDb = curveDb.subarray(fromBlock, toBlock)
  const [middleIndex, meanDb] = [(blockLevelsDb.length - 1) / 2, blockLevelsDb.reduce((sum, db) => sum + db, 0) / blockLevelsDb.length]
  let [covarianceSum, varianceSum] = [0, 0]
  blockLevelsDb.forEach((db, blockIndex) => {
    covarianceSum += (blockIndex - middleIndex) * (db - meanDb)
    varianceSum += (blockIndex - middleIndex) ** 2
  })
  return (-60 * varianceSum) / covarianceSum / SAMPLE_RATE
}

it.each([1, 3, 6])(
  '%d s: the reverberation time of each octave equals that of the design, and decreases from octave to octave',
  { tags: ['long'] },
  (reverbSeconds) => {
    const firstImpulse = designImpulse(reverbSeconds, SAMPLE_RATE)
    const firstFrame = firstImpulse.re.findIndex((sample) => sample !== 0)
    const measuredSeconds = [250, 500, 1000, 2000, 4000, 8000].map((centerHz) => {
      // Above 2 kHz, the reverberation time changes within an octave, but hardly within a third of one.
      const bandEdgeRatio = 2 ** (centerHz < 2000 ? 1 / 2 : 1 / 6)
      const measuredSeconds = measureReverberationSeconds(
        measureDecayCurveDb(firstImpulse, firstFrame, centerHz / bandEdgeRatio, centerHz * bandEdgeRatio),
      )
      expect(Math.abs(measuredSeconds / computeReverbSecondsAt(centerHz, reverbSeconds) - 1)).toBeLessThan(0.1)
      return measuredSeconds
    })
    expect(measuredSeconds.slice(1)).toEqual(measuredSeconds.slice(1).toSorted((a, b) => b - a))
    expect((measuredSeconds[5] ?? 0) / (measuredSeconds[2] ?? 0)).toBeLessThan(0.5)
  },
)

it('reverb: the real and imaginary parts of the impulse response are uncorrelated', () => {
  const { re, im } = designImpulse(2, SAMPLE_RATE)
  const correlation = re.reduce((sum, sample, frame) => sum + sample * (im[frame] ?? 0), 0)
  expect(Math.abs(correlation) / Math.sqrt(computeEnergy(re) * computeEnergy(im))).toBeLessThan(0.05)
})

it('reverb: the impulse response contains no bass, and already at its start less treble than other frequencies', () => {
  const { re, im } = designImpulse(3, SAMPLE_RATE)
  const measureDensityDb = (fromHz: number, toHz: number, frameCount: number) => {
    const impulseSpectrum = createComplexArray(2 ** 18)
    impulseSpectrum.re.set(re.subarray(0, frameCount))
    impulseSpectrum.im.set(im.subarray(0, frameCount))
    fft(impulseSpectrum)
    const findBin = (frequencyHz: number) => Math.round((frequencyHz * 2 ** 18) / SAMPLE_RATE)
    const [fromBin, toBin] = [findBin(fromHz), findBin(toHz)]
    return (
      10 *
      Math.log10(
        (computeEnergy(impulseSpectrum.re.subarray(fromBin, toBin)) + computeEnergy(impulseSpectrum.im.subarray(fromBin, toBin))) /
          (toBin - fromBin),
      )
    )
  }
  const middleDb = measureDensityDb(500, 1000, re.length)
  expect(measureDensityDb(0, 150, re.length) - middleDb).toBeLessThan(-20)
  const startFrames = 0.1 * SAMPLE_RATE
  expect(measureDensityDb(8000, 16_000, startFrames) - measureDensityDb(500, 1000, startFrames)).toBeLessThan(-6)
})
