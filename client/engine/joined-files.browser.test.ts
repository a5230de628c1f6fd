import { describe, expect, test, vi } from 'vitest'
import { type DecodeSuccess, decodeSoundFile } from './decode.ts'
import type { LoadedSound } from './engine.ts'
import { createSoundFile, readFixtureBytes } from './testing/fixtures.ts'
import { createFlacFile } from './testing/flac-file.ts'
import { joinBytes, withTags } from './testing/mp3-file.ts'
import { createWavBytes, synthesizeSine } from './testing/wav-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

async function decodeBytes(fileBytes: Bytes, memoryBytes?: number): Promise<LoadedSound> {
  const decodeResult = await decodeSoundFile(createSoundFile('a.mp3', fileBytes), { memoryBytes })
  if (decodeResult.kind !== 'decoded') throw new Error(decodeResult.kind)
  const { sound, details }: DecodeSuccess = decodeResult
  sound.dispose()
  return { ...details, bpm: undefined }
}

/** Decodes a file in memory and to the disk, and expects the same samples. */
async function decodeTwice(fileBytes: Bytes): Promise<LoadedSound> {
  const [inMemory, onDisk] = [await decodeBytes(fileBytes), await decodeBytes(fileBytes, 0)]
  expect(onDisk).toEqual({ ...inMemory, streamed: true, peaks: onDisk.peaks })
  return inMemory
}

const createId3Tag = (bytes: number): Bytes =>
  joinBytes(new TextEncoder().encode('ID3'), Uint8Array.of(4, 0, 0, 0, 0, 0, bytes), new Uint8Array(bytes))
const findTextIndex = (bytes: Bytes, text: string) => new TextDecoder('latin1').decode(bytes).indexOf(text)
const NOTHING_MISSING = { truncated: false, damaged: false }

describe('decode: joined files and files with other bytes between their packets', () => {
  test('two joined MP3 files with all their tags are decoded to their end', async () => {
    const bytes = await readFixtureBytes('tagged.mp3')
    const { frames } = await decodeTwice(bytes)
    const joinedSounds = await decodeTwice(joinBytes(bytes, withTags(bytes)))
    expect(joinedSounds).toMatchObject(NOTHING_MISSING)
    // The delay, the padding and the info packet of the second file are silent.
    expect(joinedSounds.frames - 2 * frames).toBeGreaterThan(0)
    expect(joinedSounds.frames - 2 * frames).toBeLessThan(5000)
  })

  test('two joined MP3 files without info packets, each with a tag at its end, are decoded to their end', async () => {
    const tagged = withTags(await readFixtureBytes('plain.mp3'))
    expect(await decodeTwice(joinBytes(tagged, tagged))).toMatchObject(NOTHING_MISSING)
  })

  test('a mono MP3 file joined with a stereo one of another sampling rate is decoded to its end', async () => {
    const [monoBytes, stereoBytes] = await Promise.all(['8khz.mp3', 'plain.mp3'].map(readFixtureBytes))
    if (monoBytes === undefined || stereoBytes === undefined) throw new Error('a fixture is missing')
    const joined = await decodeTwice(joinBytes(monoBytes, stereoBytes))
    expect(joined).toMatchObject({ ...NOTHING_MISSING, sampleRate: 8000, channels: 1 })
    expect(joined.durationS).toBeCloseTo(1.2 + 54_144 / 44_100, 1)
  })

  test('an MP3 file is decoded to its end, whatever number of packets its info packet announces', async () => {
    const bytes = await readFixtureBytes('tagged.mp3')
    const { frames } = await decodeTwice(bytes)
    for (const frameCountBytes of [
      [0, 0, 0, 0],
      [0x7f, 0xff, 0xff, 0xff],
    ]) {
      const changedBytes = bytes.slice()
      changedBytes.set(frameCountBytes, Math.max(findTextIndex(bytes, 'Xing'), findTextIndex(bytes, 'Info')) + 8)
      const decodedSounds = await decodeTwice(changedBytes)
      expect(decodedSounds).toMatchObject(NOTHING_MISSING)
      expect(decodedSounds.frames - frames).toBeLessThan(1152)
      expect(decodedSounds.frames).toBeGreaterThanOrEqual(frames)
    }
  })

  test('an AAC file with tags and stray bytes between its packets is decoded to its end', async () => {
    const bytes = await readFixtureBytes('aac.aac')
    expect(await decodeTwice(joinBytes(createId3Tag(73), bytes, createId3Tag(73), bytes))).toMatchObject({
      ...NOTHING_MISSING,
      frames: 2 * 54_272,
    })
    const stray = Uint8Array.of(1, 2, 255, 240, 7)
    expect(await decodeTwice(joinBytes(bytes, stray, bytes))).toMatchObject({ frames: 2 * 54_272, truncated: false, damaged: true })
  })

  test('joined Ogg Vorbis files, as in a recording of a radio station, are decoded to their end', async () => {
    const bytes = await readFixtureBytes('vorbis.ogg')
    expect(await decodeTwice(joinBytes(bytes, bytes))).toMatchObject({ ...NOTHING_MISSING, frames: 2 * 52_920 })
  })

  test('two joined FLAC files, and a FLAC file with tags at both ends, are decoded to their end', async () => {
    const bytes = await readFixtureBytes('flac.flac')
    expect(await decodeTwice(joinBytes(bytes, createId3Tag(73), bytes))).toMatchObject({ ...NOTHING_MISSING, frames: 2 * 6615 })
    expect(await decodeTwice(withTags(bytes))).toMatchObject({ ...NOTHING_MISSING, frames: 6615 })
  })
})

describe('decode: FLAC', () => {
  const HEADER_BYTES = 42
  const PACKET_BYTES = 8 + 1 + 2 * 4096 + 2
  const synthesizeToneChannels = (count: number) => [synthesizeSine(count).map((sample) => Math.round(sample * 30_000))]

  test.each([8000, 12_000, 64_000, 192_000])(
    'a FLAC file of %i Hz whose packets state the sampling rate in kHz is decoded',
    async (sampleRate) => {
      const file = createFlacFile(synthesizeToneChannels(9000), { sampleRate, bits: 16, ratesInKilohertz: true })
      expect(await decodeTwice(file)).toMatchObject({ ...NOTHING_MISSING, sampleRate, frames: 9000 })
    },
  )

  test.each([
    ['length is too small', 22, [0, 0, 0, 100]],
    ['length is too large', 22, [0, 1, 0, 0]],
    ['largest size of a packet is wrong', 15, [0, 0, 14]],
  ])('a FLAC file whose %s is decoded to its end', async (headerFault, changedOffset, byteValue) => {
    const file = createFlacFile(synthesizeToneChannels(20_000), { sampleRate: 44_100, bits: 16 })
    file.set(byteValue, changedOffset)
    expect(await decodeTwice(file)).toMatchObject({ frames: 20_000, damaged: false, truncated: headerFault === 'length is too large' })
  })

  test('a FLAC file whose samples look like the header of a later packet is decoded without loss', async () => {
    const [samples = []] = synthesizeToneChannels(40_000)
    const streamInfoView = new DataView(
      createFlacFile([samples], { sampleRate: 44_100, bits: 16 }).buffer,
      HEADER_BYTES + 7 * PACKET_BYTES,
      8,
    )
    const words = [0, 2, 4, 6].map((at) => streamInfoView.getInt16(at))
    const odd = samples.map((sample, index) => words[index - 2 * 4096 - 1000] ?? sample)
    expect(await decodeTwice(createFlacFile([odd], { sampleRate: 44_100, bits: 16 }))).toMatchObject({ ...NOTHING_MISSING, frames: 40_000 })
  })

  test('a FLAC file with a damaged packet is decoded without that packet, and reported as damaged', async () => {
    const file = createFlacFile(synthesizeToneChannels(40_000), { sampleRate: 44_100, bits: 16 })
    file.set([0x55], HEADER_BYTES + 3 * PACKET_BYTES + 4)
    expect(await decodeTwice(file)).toMatchObject({ frames: 40_000 - 4096, damaged: true, truncated: false })
  })
})

test('decode: an AAC file that ends inside a packet is reported as truncated', async () => {
  const bytes = await readFixtureBytes('aac.aac')
  expect(await decodeTwice(bytes.slice(0, -20))).toMatchObject({ frames: 53_248, truncated: true, damaged: false })
})

test('decode: the decoder of the browser gets the packets of an MP3 file without its tags', async () => {
  const bytes = await readFixtureBytes('plain.mp3')
  const decodeAudioData = vi.spyOn(BaseAudioContext.prototype, 'decodeAudioData')
  const decodedSizes: number[] = []
  decodeAudioData.mockImplementation(async (buffer) => {
    decodedSizes.push(buffer.byteLength)
    throw new DOMException('not decoded', 'EncodingError')
  })
  await decodeSoundFile(createSoundFile('a.mp3', withTags(bytes)))
  decodeAudioData.mockRestore()
  expect(decodedSizes.at(-1)).toBe(bytes.length)
})

test('decode: an M4A file that was trimmed by an edit list is decoded as trimmed', async () => {
  const bytes = await readFixtureBytes('aac.m4a')
  const view = new DataView(bytes.buffer)
  const movieTimescale = view.getUint32(findTextIndex(bytes, 'mvhd') + 16)
  const editListOffset = findTextIndex(bytes, 'elst')
  view.setUint32(editListOffset + 12, movieTimescale / 2)
  view.setInt32(editListOffset + 16, 1024 + 22_050)
  expect(await decodeTwice(bytes)).toMatchObject({ ...NOTHING_MISSING, frames: 22_050 })
})

test('decode: a WAV file of DTS is refused, and the server can convert it', async () => {
  const createFrameBytes = (value: number) =>
    [0xfe, 0x7f, 0x01, 0x80].map((byte) => (byte - 128) / 128).concat(Array<number>(2008).fill(value))
  const wavBytes = createWavBytes([[...createFrameBytes(0.1), ...createFrameBytes(0.2)]], { bits: 8 })
  wavBytes.set([1, 0, 2, 0], 20)
  wavBytes.set([4, 0, 16, 0], 32)
  expect(await decodeSoundFile(createSoundFile('a.wav', wavBytes))).toEqual({ kind: 'unsupported-codec', isConvertible: true })
})

test('decode: a file that was deleted after it was chosen, or a folder, cannot be read', async () => {
  const rootFolder = await navigator.storage.getDirectory()
  const fileHandle = await rootFolder.getFileHandle('deleted.mp3', { create: true })
  const writable = await fileHandle.createWritable()
  await writable.write(await readFixtureBytes('plain.mp3'))
  await writable.close()
  const file = await fileHandle.getFile()
  await rootFolder.removeEntry('deleted.mp3')
  expect(await decodeSoundFile({ name: 'deleted.mp3', blob: file })).toEqual({ kind: 'unreadable' })
})
