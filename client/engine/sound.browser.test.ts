import { expect, test, vi } from 'vitest'
import { createScratchFile, openScratchFile } from './scratch.ts'
import { createChunkedSound, createMemorySound, type Sound } from './sound.ts'
import { openStoredSound } from './stored-sound.ts'

const leftSamples = new Float32Array([1, 2, 3, 4, 5])
const rightSamples = new Float32Array([-1, -2, -3, -4, -5])

/** Splits the samples into chunks of 2, 0, 1 and 2 frames. */
const createChunkedTestSound = (): Sound =>
  createChunkedSound(
    [
      [0, 2],
      [2, 2],
      [2, 3],
      [3, 5],
    ].map(([from, to]) => [leftSamples.slice(from, to), rightSamples.slice(from, to)]),
    8000,
  )
const createMemoryTestSound = (): Sound => createMemorySound([leftSamples, rightSamples], 8000)

async function createStoredFile() {
  const scratchFile = await createScratchFile()
  if (scratchFile === undefined) throw new Error('the browser has no private file system')
  const fileStream = await scratchFile.handle.createWritable()
  await fileStream.write(Float32Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 1 : -1) * (1 + (index >> 1))))
  await fileStream.close()
  return scratchFile
}
const createStoredTestSound = async (frames = 5): Promise<Sound> =>
  openStoredSound(await createStoredFile(), { sampleRate: 8000, channels: 2, frames })

test.each([
  ['memory', createMemoryTestSound],
  ['chunks', createChunkedTestSound],
  ['a file', createStoredTestSound],
])('sound: any range within the sound can be read from %s, and no range outside', async (_, createSound) => {
  const sound = await createSound()
  expect(sound).toMatchObject({ sampleRate: 8000, channels: 2, frames: 5 })
  for (let startFrame = 0; startFrame < 5; startFrame++) {
    for (let endFrame = startFrame; endFrame <= 5; endFrame++) {
      const targets = [new Float32Array(endFrame - startFrame), new Float32Array(endFrame - startFrame)]
      await sound.read(startFrame, targets)
      expect(targets).toEqual([leftSamples.slice(startFrame, endFrame), rightSamples.slice(startFrame, endFrame)])
    }
  }
  await expect((async () => sound.read(3, [new Float32Array(3)]))()).rejects.toThrow(RangeError)
  await expect((async () => sound.read(-1, [new Float32Array(1)]))()).rejects.toThrow(RangeError)
  sound.dispose()
})

test('sound: after dispose, the sound cannot be read and its file is removed', async () => {
  const sound = createMemoryTestSound()
  sound.dispose()
  expect(() => sound.read(0, [new Float32Array(1)])).toThrow(RangeError)
  const scratchFile = await createStoredFile()
  const removeFile = vi.spyOn(scratchFile, 'dispose')
  const storedSound = await openStoredSound(scratchFile, { sampleRate: 8000, channels: 2, frames: 5 })
  const pendingRead = storedSound.read(0, [new Float32Array(1)])
  storedSound.dispose()
  await expect(pendingRead).rejects.toThrow('terminated')
  await expect(storedSound.read(0, [new Float32Array(1)])).rejects.toThrow('terminated')
  await removeFile.mock.results[0]?.value
  await expect(openScratchFile(scratchFile.name)).rejects.toThrow(DOMException)
})

test('sound: reading from an incomplete file and opening a missing file reject', async () => {
  const sound = await createStoredTestSound(6)
  await expect(sound.read(4, [new Float32Array(2), new Float32Array(2)])).rejects.toMatchObject({ name: 'NotReadableError' })
  sound.dispose()
  const scratch = await createStoredFile()
  await scratch.dispose()
  await expect(openStoredSound(scratch, { sampleRate: 8000, channels: 2, frames: 5 })).rejects.toMatchObject({ name: 'NotFoundError' })
})

test('createMemorySound: a sound needs one or two channels of equal length', () => {
  expect(() => createMemorySound([], 8000)).toThrow(RangeError)
  expect(() => createMemorySound([leftSamples, rightSamples, leftSamples], 8000)).toThrow(RangeError)
  expect(() => createMemorySound([leftSamples, new Float32Array(4)], 8000)).toThrow(RangeError)
  expect(() => createChunkedSound([[leftSamples], [leftSamples, rightSamples]], 8000)).toThrow(RangeError)
})
