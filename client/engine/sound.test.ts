import { expect, test } from 'vitest'
import { createMemorySound, createStoredSound, type Sound } from './sound.ts'

const left = new Float32Array([1, 2, 3, 4, 5])
const right = new Float32Array([-1, -2, -3, -4, -5])

const memory = (): Sound => createMemorySound([left, right], 8000)
const stored = (dispose = () => {}): Sound =>
  createStoredSound({
    blob: new Blob([Float32Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 1 : -1) * (1 + (index >> 1)))]),
    sampleRate: 8000,
    channels: 2,
    dispose,
  })

test.each([
  ['memory', memory],
  ['a file', stored],
])('any range is read from %s, and none outside', async (_, create) => {
  const sound = create()
  expect(sound).toMatchObject({ sampleRate: 8000, channels: 2, frames: 5 })
  for (let start = 0; start < 5; start++) {
    for (let end = start; end <= 5; end++) {
      const into = [new Float32Array(end - start), new Float32Array(end - start)]
      await sound.read(start, into)
      expect(into).toEqual([left.slice(start, end), right.slice(start, end)])
    }
  }
  await expect((async () => sound.read(3, [new Float32Array(3)]))()).rejects.toThrow(RangeError)
  await expect((async () => sound.read(-1, [new Float32Array(1)]))()).rejects.toThrow(RangeError)
})

test('a sound that was disposed of holds nothing', async () => {
  const sound = memory()
  sound.dispose()
  expect(() => sound.read(0, [new Float32Array(1)])).toThrow(RangeError)
  let freed = 0
  stored(() => {
    freed += 1
  }).dispose()
  expect(freed).toBe(1)
})

test('one or two channels of one length, nothing else', () => {
  expect(() => createMemorySound([], 8000)).toThrow(RangeError)
  expect(() => createMemorySound([left, right, left], 8000)).toThrow(RangeError)
  expect(() => createMemorySound([left, new Float32Array(4)], 8000)).toThrow(RangeError)
})
