import { expect, test } from 'vitest'
import { createMemorySound, createStoredSound, type Sound } from './sound.ts'

const leftSamples = new Float32Array([1, 2, 3, 4, 5])
const rightSamples = new Float32Array([-1, -2, -3, -4, -5])

const memorySound = (): Sound => createMemorySound([leftSamples, rightSamples], 8000)
const storedSound = (dispose = () => {}): Sound =>
  createStoredSound({
    blob: new Blob([Float32Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 1 : -1) * (1 + (index >> 1)))]),
    sampleRate: 8000,
    channels: 2,
    dispose,
  })

test.each([
  ['memory', memorySound],
  ['a file', storedSound],
])('sound: any range within it can be read from %s, none outside', async (_, createSound) => {
  const sound = createSound()
  expect(sound).toMatchObject({ sampleRate: 8000, channels: 2, frames: 5 })
  for (let start = 0; start < 5; start++) {
    for (let end = start; end <= 5; end++) {
      const targets = [new Float32Array(end - start), new Float32Array(end - start)]
      await sound.read(start, targets)
      expect(targets).toEqual([leftSamples.slice(start, end), rightSamples.slice(start, end)])
    }
  }
  await expect((async () => sound.read(3, [new Float32Array(3)]))()).rejects.toThrow(RangeError)
  await expect((async () => sound.read(-1, [new Float32Array(1)]))()).rejects.toThrow(RangeError)
})

test('sound: cannot be read after dispose, which deletes its file', async () => {
  const sound = memorySound()
  sound.dispose()
  expect(() => sound.read(0, [new Float32Array(1)])).toThrow(RangeError)
  let deletions = 0
  storedSound(() => {
    deletions += 1
  }).dispose()
  expect(deletions).toBe(1)
})

test('createMemorySound: requires one or two channels of equal length', () => {
  expect(() => createMemorySound([], 8000)).toThrow(RangeError)
  expect(() => createMemorySound([leftSamples, rightSamples, leftSamples], 8000)).toThrow(RangeError)
  expect(() => createMemorySound([leftSamples, new Float32Array(4)], 8000)).toThrow(RangeError)
})
