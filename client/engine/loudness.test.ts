import { expect, it } from 'vitest'
import { measureKWeightedPower } from './loudness.ts'

/** Returns the loudness of a full-scale tone in one channel, in LKFS. */
async function measureToneLkfs(frequencyHz: number, sampleRate: number): Promise<number> {
  const readFrames = async (firstFrame: number, frames: number) => [
    Float32Array.from({ length: frames }, (_, frame) => Math.sin((2 * Math.PI * frequencyHz * (firstFrame + frame)) / sampleRate)),
  ]
  return -0.691 + 10 * Math.log10((await measureKWeightedPower(readFrames, 10 * sampleRate, sampleRate)).power)
}

it.each([44_100, 48_000, 96_000])(
  'measureKWeightedPower: a tone of 997 Hz at %i Hz measures -3.01 LKFS, as in ITU-R BS.1770',
  async (sampleRate) => {
    expect(await measureToneLkfs(997, sampleRate)).toBeCloseTo(-3.01, 1)
  },
)

it('measureKWeightedPower: low frequencies are attenuated, high ones amplified', async () => {
  expect(await measureToneLkfs(50, 48_000)).toBeLessThan(-4)
  expect(await measureToneLkfs(8000, 48_000)).toBeGreaterThan(0)
})

it('measureKWeightedPower: the power of an empty sound is 0', async () => {
  expect(await measureKWeightedPower(async () => [new Float32Array(0)], 0, 44_100)).toEqual({ power: 0, peak: 0 })
})
