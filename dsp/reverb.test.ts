import { expect, it } from 'vitest'
import { designImpulse, impulseFrames } from './reverb.ts'

const RATE = 44_100
const energy = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)

it('is the same room every time', () => {
  expect(designImpulse(1, RATE)).toEqual(designImpulse(1, RATE))
  expect(designImpulse(1, RATE).re).toHaveLength(impulseFrames(1, RATE))
})

it.each([0.5, 3])('%d s: its energy is 1, and falls by 60 dB over its time', (seconds) => {
  const { re, im } = designImpulse(seconds, RATE)
  expect(energy(re) + energy(im)).toBeCloseTo(1, 5)
  const window = Math.round(seconds * RATE * 0.05)
  const fallDb = (from: number, to: number) => {
    const at = (share: number) => energy(re.subarray(Math.round(share * re.length), Math.round(share * re.length) + window))
    return 10 * Math.log10(at(to) / at(from))
  }
  // What the damping takes comes on top.
  expect(fallDb(0.1, 0.6)).toBeLessThan(-28)
  expect(fallDb(0.1, 0.6)).toBeGreaterThan(-45)
})

it('is wide: its two parts have nothing in common', () => {
  const { re, im } = designImpulse(2, RATE)
  const common = re.reduce((sum, sample, frame) => sum + sample * (im[frame] ?? 0), 0)
  expect(Math.abs(common) / Math.sqrt(energy(re) * energy(im))).toBeLessThan(0.05)
})

it('leaves bass dry', () => {
  const { re } = designImpulse(1, RATE)
  const levelAt = (frequencyHz: number) => {
    let [r, i] = [0, 0]
    re.forEach((sample, frame) => {
      r += sample * Math.cos((2 * Math.PI * frequencyHz * frame) / RATE)
      i += sample * Math.sin((2 * Math.PI * frequencyHz * frame) / RATE)
    })
    return r * r + i * i
  }
  const band = (frequencyHz: number) => [0.9, 0.95, 1, 1.05, 1.1].reduce((sum, factor) => sum + levelAt(frequencyHz * factor), 0)
  expect(10 * Math.log10(band(30) / band(1000))).toBeLessThan(-20)
})
