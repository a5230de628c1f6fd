import { expect, it } from 'vitest'
import { designImpulse, impulseFrames } from './reverb.ts'
import { expectSameSamples } from './testing/samples.ts'

const SAMPLE_RATE = 44_100
const energyOf = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)

it('the impulse response is deterministic', () => {
  const [impulse, anotherImpulse] = [designImpulse(1, SAMPLE_RATE), designImpulse(1, SAMPLE_RATE)]
  expectSameSamples(impulse.re, anotherImpulse.re)
  expectSameSamples(impulse.im, anotherImpulse.im)
  expect(designImpulse(1, SAMPLE_RATE).re).toHaveLength(impulseFrames(1, SAMPLE_RATE))
})

it.each([0.5, 3])('%d s: the impulse response has an energy of 1 and decays by 60 dB in its time', (seconds) => {
  const { re, im } = designImpulse(seconds, SAMPLE_RATE)
  expect(energyOf(re) + energyOf(im)).toBeCloseTo(1, 5)
  const windowFrames = Math.round(seconds * SAMPLE_RATE * 0.05)
  const decayDb = (fromShare: number, to: number) => {
    const at = (share: number) => energyOf(re.subarray(Math.round(share * re.length), Math.round(share * re.length) + windowFrames))
    return 10 * Math.log10(at(to) / at(fromShare))
  }
  // The limit has a tolerance: high frequencies decay faster, so that the total decay may exceed the nominal 30 dB.
  expect(decayDb(0.1, 0.6)).toBeLessThan(-28)
  expect(decayDb(0.1, 0.6)).toBeGreaterThan(-45)
})

it('the real and imaginary parts of the response are uncorrelated', () => {
  const { re, im } = designImpulse(2, SAMPLE_RATE)
  const correlation = re.reduce((sum, sample, frame) => sum + sample * (im[frame] ?? 0), 0)
  expect(Math.abs(correlation) / Math.sqrt(energyOf(re) * energyOf(im))).toBeLessThan(0.05)
})

it('the response contains no bass', () => {
  const { re } = designImpulse(1, SAMPLE_RATE)
  const levelAt = (frequencyHz: number) => {
    let [r, i] = [0, 0]
    re.forEach((sample, frame) => {
      r += sample * Math.cos((2 * Math.PI * frequencyHz * frame) / SAMPLE_RATE)
      i += sample * Math.sin((2 * Math.PI * frequencyHz * frame) / SAMPLE_RATE)
    })
    return r * r + i * i
  }
  const bandLevel = (frequencyHz: number) => [0.9, 0.95, 1, 1.05, 1.1].reduce((sum, factor) => sum + levelAt(frequencyHz * factor), 0)
  expect(10 * Math.log10(bandLevel(30) / bandLevel(1000))).toBeLessThan(-20)
})
