import { expect, it } from 'vitest'
import { createComplexArray, fft, inverseFft } from './fft.ts'
import { designImpulse, type ImpulseResponse, impulseFrames, reverbSecondsAt } from './reverb.ts'
import { expectSameSamples } from './testing/samples.ts'

const SAMPLE_RATE = 44_100
const energyOf = (samples: Float32Array | Float64Array) => {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return energy
}

it('reverb: the impulse response is deterministic', () => {
  const [impulse, anotherImpulse] = [designImpulse(1, SAMPLE_RATE), designImpulse(1, SAMPLE_RATE)]
  expectSameSamples(impulse.re, anotherImpulse.re)
  expectSameSamples(impulse.im, anotherImpulse.im)
  expect(designImpulse(1, SAMPLE_RATE).re).toHaveLength(impulseFrames(1, SAMPLE_RATE))
})

it.each([0.2, 3])('reverb: the impulse response of %d s has an energy of 1', (seconds) => {
  for (const sampleRate of [8000, SAMPLE_RATE, 192_000]) {
    const { re, im } = designImpulse(seconds, sampleRate)
    expect(energyOf(re) + energyOf(im)).toBeCloseTo(1, 5)
  }
})

/**
 * Returns the remaining energy of the impulse response at each frame from `firstFrame` on, in dB. Only frequencies from `fromHz` to `toHz`
 * count (M. R. Schroeder, "New method of measuring reverberation time", 1965).
 */
function decayCurveDb({ re, im }: ImpulseResponse, firstFrame: number, fromHz: number, toHz: number): Float64Array {
  const spectrum = createComplexArray(2 ** Math.ceil(Math.log2(re.length)))
  spectrum.re.set(re)
  spectrum.im.set(im)
  fft(spectrum)
  const length = spectrum.re.length
  for (let bin = 0; bin < length; bin++) {
    const frequencyHz = (Math.min(bin, length - bin) * SAMPLE_RATE) / length
    if (frequencyHz >= fromHz && frequencyHz <= toHz) continue
    spectrum.re[bin] = 0
    spectrum.im[bin] = 0
  }
  inverseFft(spectrum)
  const energies = spectrum.re.map((value, frame) => value ** 2 + (spectrum.im[frame] ?? 0) ** 2).subarray(firstFrame, re.length)
  let remainingEnergy = 0
  for (let frame = energies.length - 1; frame >= 0; frame--) {
    remainingEnergy += energies[frame] ?? 0
    energies[frame] = remainingEnergy
  }
  return energies.map((energy) => 10 * Math.log10(energy / remainingEnergy))
}

/** Returns the reverberation time T20 in seconds, measured by linear regression of the decay from -5 to -25 dB (ISO 3382-1). */
function reverberationSeconds(curveDb: Float64Array): number {
  const [fromBlock, toBlock] = [curveDb.findIndex((db) => db <= -5), curveDb.findIndex((db) => db <= -25)]
  const levels = curveDb.subarray(fromBlock, toBlock)
  const [middle, meanDb] = [(levels.length - 1) / 2, levels.reduce((sum, db) => sum + db, 0) / levels.length]
  let [covariance, variance] = [0, 0]
  levels.forEach((db, frame) => {
    covariance += (frame - middle) * (db - meanDb)
    variance += (frame - middle) ** 2
  })
  return (-60 * variance) / covariance / SAMPLE_RATE
}

it.each([1, 3, 6])(
  '%d s: the reverberation time of each octave equals that of the design, and decreases from octave to octave',
  { tags: ['long'] },
  (seconds) => {
    const impulse = designImpulse(seconds, SAMPLE_RATE)
    const firstFrame = impulse.re.findIndex((sample) => sample !== 0)
    const measuredSeconds = [250, 500, 1000, 2000, 4000, 8000].map((centerHz) => {
      // Above 2 kHz, the reverberation time changes within an octave, but hardly within a third of one.
      const edge = 2 ** (centerHz < 2000 ? 1 / 2 : 1 / 6)
      const measured = reverberationSeconds(decayCurveDb(impulse, firstFrame, centerHz / edge, centerHz * edge))
      expect(Math.abs(measured / reverbSecondsAt(centerHz, seconds) - 1)).toBeLessThan(0.1)
      return measured
    })
    expect(measuredSeconds.slice(1)).toEqual(measuredSeconds.slice(1).toSorted((a, b) => b - a))
    expect((measuredSeconds[5] ?? 0) / (measuredSeconds[2] ?? 0)).toBeLessThan(0.5)
  },
)

it('reverb: the real and imaginary parts of the impulse response are uncorrelated', () => {
  const { re, im } = designImpulse(2, SAMPLE_RATE)
  const correlation = re.reduce((sum, sample, frame) => sum + sample * (im[frame] ?? 0), 0)
  expect(Math.abs(correlation) / Math.sqrt(energyOf(re) * energyOf(im))).toBeLessThan(0.05)
})

it('reverb: the impulse response contains no bass, and already at its start less treble than other frequencies', () => {
  const { re, im } = designImpulse(3, SAMPLE_RATE)
  const densityDb = (fromHz: number, toHz: number, frames: number) => {
    const spectrum = createComplexArray(2 ** 18)
    spectrum.re.set(re.subarray(0, frames))
    spectrum.im.set(im.subarray(0, frames))
    fft(spectrum)
    const binOf = (frequencyHz: number) => Math.round((frequencyHz * 2 ** 18) / SAMPLE_RATE)
    const [from, to] = [binOf(fromHz), binOf(toHz)]
    return 10 * Math.log10((energyOf(spectrum.re.subarray(from, to)) + energyOf(spectrum.im.subarray(from, to))) / (to - from))
  }
  const middleDb = densityDb(500, 1000, re.length)
  expect(densityDb(0, 150, re.length) - middleDb).toBeLessThan(-20)
  const startFrames = 0.1 * SAMPLE_RATE
  expect(densityDb(8000, 16_000, startFrames) - densityDb(500, 1000, startFrames)).toBeLessThan(-6)
})
