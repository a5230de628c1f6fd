import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectFasterThan } from '../../testing/timing.ts'
import { decodeSoundFile } from './decode.ts'
import { decodeSections } from './decode-sections.ts'
import { attenuatePackets, MP3_RESTORING_GAIN } from './mp3-attenuation.ts'
import { findPackets } from './mp3-repair.ts'
import { splitMp3 } from './mp3-sections.ts'
import { splitOgg } from './ogg-sections.ts'
import type { SectionLayout } from './section-layout.ts'
import { createSoundFile, readFixtureBytes } from './testing/fixtures.ts'
import { encodeMp3File, joinBytes, mp3FileKinds, withInfoPacket, withTags } from './testing/mp3-file.ts'
import { createPeakMeter } from './workers/peaks.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Returns the expected samples, by decoding the whole file with the browser's decoder. */
async function decodeWholeFile(fileBytes: Bytes, sampleRate = 44_100): Promise<Float32Array[]> {
  const buffer = await new OfflineAudioContext({ length: 1, sampleRate }).decodeAudioData(fileBytes.slice().buffer)
  return Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel))
}

async function decodeInSections(fileBytes: Bytes, sections: SectionLayout): Promise<Float32Array[]> {
  const wholeFile = Array.from({ length: sections.channels }, () => new Float32Array(sections.frames))
  let frameCount = 0
  for await (const sectionChannels of decodeSections(fileBytes, sections)) {
    sectionChannels.forEach((samples, channel) => {
      wholeFile[channel]?.set(samples, frameCount)
    })
    frameCount += sectionChannels[0]?.length ?? 0
  }
  expect(frameCount).toBe(sections.frames)
  return wholeFile
}

/** Returns the packets of a file, and its sections. */
async function readSections(fileBytes: Bytes, sectionSeconds: number): Promise<{ readonly bytes: Bytes; readonly layout: SectionLayout }> {
  const foundPackets = await findPackets(fileBytes, 0)
  const layout = foundPackets && splitMp3(foundPackets.bytes, foundPackets.packets, sectionSeconds)
  if (layout === undefined) throw new Error('the file cannot be split into sections')
  return { bytes: foundPackets?.bytes ?? fileBytes, layout }
}

function expectSameSamples(actualChannels: readonly Float32Array[], expectedChannels: readonly Float32Array[]) {
  expect(actualChannels.map(({ length }) => length)).toEqual(expectedChannels.map(({ length }) => length))
  const firstDifferences = actualChannels.map((samples, channel) =>
    samples.findIndex((sample, frame) => sample !== expectedChannels[channel]?.[frame]),
  )
  expect(firstDifferences).toEqual(actualChannels.map(() => -1))
}

/** The kinds of files that `npm test` decodes: a constant and a variable bit rate, mono, and the other versions of MPEG. */
const QUICK_FILE_KINDS = [
  '128 kbps, joint stereo',
  '32 kbps, mono',
  'a low variable bit rate, mono',
  'MPEG-2, 8 kbps, 24 kHz',
  'MPEG-2.5, 8 kbps, 8 kHz',
]
for (const [fileKind, fileOptions] of mp3FileKinds)
  test(`decodeSections: MP3 of ${fileKind} decodes to the samples of the whole file`, {
    tags: QUICK_FILE_KINDS.includes(fileKind) ? [] : ['long'],
  }, async () => {
    const packetBytes = await encodeMp3File(fileOptions)
    const { frames, repeatedFrames: packetFrames } = (await readSections(packetBytes, 0.9)).layout
    const fileWithInfo = withInfoPacket(packetBytes, frames / packetFrames)
    for (const fileBytes of [packetBytes, withTags(packetBytes), fileWithInfo, withTags(fileWithInfo)]) {
      const { bytes, layout } = await readSections(fileBytes, 0.9)
      expect(layout.sections.length).toBeGreaterThan(9)
      expectSameSamples(await decodeInSections(bytes, layout), await decodeWholeFile(fileBytes, layout.sampleRate))
    }
  })

test('decodeSections: the sections of an Ogg Vorbis file decode to the samples of the whole file', async () => {
  const bytes = await readFixtureBytes('long.ogg')
  const expectedSamples = await decodeWholeFile(bytes, 8000)
  for (const sectionSeconds of [2, 7, 24]) {
    const sectionLayout = splitOgg(bytes, sectionSeconds)
    if (sectionLayout === undefined) throw new Error('the file cannot be split into sections')
    expect(sectionLayout.sections.length).toBeGreaterThan(40 / sectionSeconds)
    expectSameSamples(await decodeInSections(bytes, sectionLayout), expectedSamples)
  }
})

test('splitOgg: only a complete stream of Ogg Vorbis is split', async () => {
  const bytes = await readFixtureBytes('long.ogg')
  expect(splitOgg(bytes, 2)).toBeDefined()
  expect(splitOgg(joinBytes(bytes, bytes), 2)).toBeUndefined()
  expect(splitOgg(joinBytes(bytes, new Uint8Array(1)), 2)).toBeUndefined()
  expect(splitOgg(joinBytes(new Uint8Array(1), bytes), 2)).toBeUndefined()
  for (const endByte of [0, 10, 28, 58, 5000, bytes.length - 1]) expect(splitOgg(bytes.slice(0, endByte), 2)).toBeUndefined()
  expect(splitOgg(await readFixtureBytes('opus.opus'), 0.1)).toBeUndefined()
})

describe('decode: a long Ogg file', () => {
  afterEach(() => vi.restoreAllMocks())

  async function expectDecoderCalls(fileBytes: Bytes, decoderCallCount: number) {
    const expectedSamples = await decodeWholeFile(fileBytes, 8000)
    const decoderSpy = vi.spyOn(OfflineAudioContext.prototype, 'decodeAudioData')
    const decodeResult = await decodeSoundFile(createSoundFile('a.ogg', fileBytes))
    if (decodeResult.kind !== 'decoded') throw new Error(decodeResult.kind)
    const decodedSamples = expectedSamples.map(({ length }) => new Float32Array(length))
    expect(decodeResult.sound.frames).toBe(decodedSamples[0]?.length)
    await decodeResult.sound.read(0, decodedSamples)
    expectSameSamples(decodedSamples, expectedSamples)
    expect(decoderSpy).toHaveBeenCalledTimes(decoderCallCount)
  }

  test('a long Ogg file is decoded in sections', async () => expectDecoderCalls(await readFixtureBytes('long.ogg'), 2))

  test('a long Ogg file that ends early is decoded as a whole', async () => {
    const bytes = await readFixtureBytes('long.ogg')
    await expectDecoderCalls(bytes.slice(0, 0.8 * bytes.length), 1)
  })

  test('a long Ogg file with a damaged page is decoded as a whole', async () => {
    const bytes = await readFixtureBytes('long.ogg')
    const at = Math.floor(0.3 * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await expectDecoderCalls(bytes, 3)
  })
})

describe('decode: a long MP3 file', () => {
  let mp3Packets: Bytes
  let packetCount = 0
  beforeAll(async () => {
    mp3Packets = await encodeMp3File({ seconds: 20, gain: 0.5 })
    const { frames, repeatedFrames: packetFrames } = (await readSections(mp3Packets, 6)).layout
    packetCount = frames / packetFrames
  })
  afterEach(() => vi.restoreAllMocks())

  /** Counts the calls of the browser's decoder: one for a whole file, or one for each section. */
  const spyOnDecoder = () => vi.spyOn(OfflineAudioContext.prototype, 'decodeAudioData')

  /**
   * Decodes the whole file in one call, after attenuating it as the engine does. A file that `findPackets` refuses is decoded without attenuation.
   */
  async function decodeUnclipped(fileBytes: Bytes) {
    const foundPackets = await findPackets(fileBytes, 0)
    if (foundPackets === undefined) return decodeWholeFile(fileBytes)
    const attenuatedBytes = foundPackets.bytes.slice()
    attenuatePackets(attenuatedBytes, foundPackets.packets)
    return (await decodeWholeFile(attenuatedBytes)).map((samples) => samples.map((sample) => sample * MP3_RESTORING_GAIN))
  }

  async function expectWholeSound(fileBytes: Bytes) {
    const expectedSamples = await decodeUnclipped(fileBytes)
    const reportedProgress: (number | undefined)[] = []
    const decodeResult = await decodeSoundFile(createSoundFile('a.mp3', fileBytes), {
      onProgress: (progress) => reportedProgress.push(progress),
    })
    if (decodeResult.kind !== 'decoded') throw new Error(decodeResult.kind)
    const decodedSamples = expectedSamples.map(({ length }) => new Float32Array(length))
    expect(decodeResult.sound.frames).toBe(decodedSamples[0]?.length)
    await decodeResult.sound.read(0, decodedSamples)
    expectSameSamples(decodedSamples, expectedSamples)
    const peakMeter = createPeakMeter()
    peakMeter.add(expectedSamples)
    expect(decodeResult.details.peaks).toEqual(peakMeter.peaks())
    return { reported: reportedProgress, details: decodeResult.details }
  }

  test('a long MP3 file is decoded in sections, with progress', async () => {
    const decoderSpy = spyOnDecoder()
    const { reported: reportedProgress, details } = await expectWholeSound(withTags(withInfoPacket(mp3Packets, packetCount)))
    expect(decoderSpy).toHaveBeenCalledTimes(1 + 3)
    expect(reportedProgress).toHaveLength(4)
    expect(reportedProgress).toEqual([0, expect.closeTo(1 / 3, 1), expect.closeTo(2 / 3, 1), 1])
    expect(details).toMatchObject({ sampleRate: 44_100, sourceChannels: 2, channels: 2, streamed: false, truncated: false })
  })

  test('an MP3 file whose samples exceed the memory limit is not decoded in memory', async () => {
    const decoderSpy = spyOnDecoder()
    const decodeResult = await decodeSoundFile(createSoundFile('a.mp3', mp3Packets), { memoryBytes: 10 * mp3Packets.length })
    if (decodeResult.kind !== 'decoded') throw new Error(decodeResult.kind)
    expect(decodeResult.details.streamed).toBe(true)
    expect(decoderSpy).not.toHaveBeenCalled()
    decodeResult.sound.dispose()
  })

  test.each([
    ['cut at 80 %', (bytes: Bytes) => bytes.slice(0, 0.8 * bytes.length)],
    ['with a run of zeros', (bytes: Bytes) => bytes.fill(0, 0.5 * bytes.length, 0.5 * bytes.length + 5000)],
    ['whose info packet announces another length', (bytes: Bytes) => withInfoPacket(bytes, packetCount + 100)],
  ])('%s is decoded in sections of its packets', async (_, damageFile) => {
    const decoderSpy = spyOnDecoder()
    await expectWholeSound(damageFile(mp3Packets.slice()))
    expect(decoderSpy.mock.calls.length).toBeGreaterThan(2)
  })

  test('a long MP3 file is decoded as a whole if a section does not have the announced length', async () => {
    const fileBytes = withInfoPacket(mp3Packets, packetCount)
    // Chromium's decoder does not remove the delay that this encoder adds.
    fileBytes.set(new TextEncoder().encode('GOGO3'), new TextDecoder('latin1').decode(fileBytes).indexOf('LAME3'))
    const decoderSpy = spyOnDecoder()
    const { reported: reportedProgress } = await expectWholeSound(fileBytes)
    expect(decoderSpy.mock.calls.length).toBeGreaterThan(2)
    expect(reportedProgress).toEqual([0, undefined])
  })

  test('a long MP3 file with damaged packets decodes to the samples of the whole file', { tags: ['long'] }, async () => {
    for (let byteStep = 3; byteStep < 3000; byteStep *= 3) {
      const bytes = mp3Packets.slice()
      for (let packet = 5; packet < packetCount; packet += byteStep) bytes[417 * packet + 40 + (packet % 300)] = packet % 256
      await expectWholeSound(bytes)
    }
  })

  test('MP3 sections are refused if a section does not continue the section before it', async () => {
    const { layout } = await readSections(mp3Packets, 6)
    const movedSections = layout.sections.map((section, index) =>
      index === 1 ? { ...section, warmUpFrames: section.warmUpFrames + 1, ownFrames: section.ownFrames - 1 } : section,
    )
    await expect(decodeInSections(mp3Packets, { ...layout, sections: movedSections })).rejects.toThrow('does not continue')
  })

  test('a cancelled load stops within 100 ms, and no further section is decoded', async () => {
    const controller = new AbortController()
    const decoderSpy = spyOnDecoder()
    let abortedAtMs = 0
    const decodeResult = await decodeSoundFile(createSoundFile('a.mp3', joinBytes(mp3Packets, mp3Packets, mp3Packets, mp3Packets)), {
      signal: controller.signal,
      onProgress(progressShare) {
        if (progressShare === 0) return
        abortedAtMs = performance.now()
        controller.abort()
      },
    })
    expect(decodeResult).toEqual({ kind: 'cancelled' })
    expectFasterThan(performance.now() - abortedAtMs, 100)
    await new Promise((resolve) => setTimeout(resolve, 500))
    // Of the file's 13 sections, only those already started are decoded: one for each core.
    expect(decoderSpy.mock.calls.length).toBeLessThan(8)
  })
})
