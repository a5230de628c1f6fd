import { expect, it } from 'vitest'
import { heardPower } from './loudness.ts'

/** Of a tone of full scale in one channel, in LKFS. */
async function toneLkfs(frequencyHz: number, sampleRate: number): Promise<number> {
  const read = async (firstFrame: number, frames: number) => [
    Float32Array.from({ length: frames }, (_, frame) => Math.sin((2 * Math.PI * frequencyHz * (firstFrame + frame)) / sampleRate)),
  ]
  return -0.691 + 10 * Math.log10((await heardPower(read, 10 * sampleRate, sampleRate)).power)
}

it.each([44_100, 48_000, 96_000])('a tone of 997 Hz has the loudness that the recommendation gives it, at %i Hz', async (sampleRate) => {
  expect(await toneLkfs(997, sampleRate)).toBeCloseTo(-3.01, 1)
})

it('bass counts for less, heights for more', async () => {
  expect(await toneLkfs(50, 48_000)).toBeLessThan(-4)
  expect(await toneLkfs(8000, 48_000)).toBeGreaterThan(0)
})

it('nothing has no power', async () => {
  expect(await heardPower(async () => [new Float32Array(0)], 0, 44_100)).toEqual({ power: 0, peak: 0 })
})
