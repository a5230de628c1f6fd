import { describe, expect, test, vi } from 'vitest'
import { expectSameSamples } from '../../dsp/testing/samples.ts'
import { encodeWavHeader } from '../../dsp/wav.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { type DecodeOptions, type DecodeSuccess, decodeSoundFile } from './decode.ts'
import type { SoundFile } from './engine.ts'
import type { Sound } from './sound.ts'
import { createNoise } from './testing/drum-loop.ts'
import { createSoundFile, loadFixtureFile, readFixtureBytes } from './testing/fixtures.ts'
import { createFlacFile } from './testing/flac-file.ts'
import { createAiffBytes, createCafBytes, createWavBytes, synthesizeSine } from './testing/wav-file.ts'
import { openFile } from './workers/open-file.ts'
import type { SampleSource, SourceFailure } from './workers/sample-source.ts'

async function decodeFile(file: SoundFile, options?: DecodeOptions): Promise<DecodeSuccess> {
  const result = await decodeSoundFile(file, options)
  if (result.kind !== 'decoded') throw new Error(`${file.name}: ${result.kind}`)
  return result
}

async function readSamples(sound: Sound): Promise<Float32Array[]> {
  const samplesOfChannels = Array.from({ length: sound.channels }, () => new Float32Array(sound.frames))
  await sound.read(0, samplesOfChannels)
  return samplesOfChannels
}

async function expectSameSound(sound: Sound, expectedSound: Sound) {
  const [channels, expectedChannels] = await Promise.all([readSamples(sound), readSamples(expectedSound)])
  expect(channels).toHaveLength(expectedChannels.length)
  for (const [index, samples] of channels.entries()) expectSameSamples(samples, expectedChannels[index] ?? new Float32Array())
}

const FILE_TYPES = [
  ['tagged.mp3', 44_100, 2, 52_920],
  ['plain.mp3', 44_100, 2, 54_144],
  ['8khz.mp3', 8000, 1, 9600],
  ['vorbis.ogg', 44_100, 2, 52_920],
  ['opus.opus', 48_000, 2, 57_600],
  ['aac.m4a', 44_100, 2, 52_920],
  ['aac.aac', 44_100, 2, 54_272],
  ['flac.flac', 22_050, 2, 6615],
  ['24bit-96khz.flac', 96_000, 2, 1920],
  ['aiff.aiff', 8000, 2, 1600],
  ['surround.m4a', 48_000, 2, 14_400],
  ['surround.flac', 8000, 2, 800],
] as const

describe('decode: every supported type', () => {
  test.each(FILE_TYPES)(
    '%s is decoded to the expected sampling rate, channels and length',
    async (fileName, sampleRate, channelCount, frameCount) => {
      const { sound, details } = await decodeFile(await loadFixtureFile(fileName))
      expect(sound).toMatchObject({ sampleRate, channels: channelCount, frames: frameCount })
      expect(details).toMatchObject({
        name: fileName,
        sampleRate,
        channels: channelCount,
        frames: frameCount,
        streamed: false,
        truncated: false,
      })
      expect(details.sourceChannels).toBe(fileName.startsWith('surround') ? 6 : channelCount)
      expect(details.durationS).toBeCloseTo(frameCount / sampleRate, 9)
      expect(details.title).toBe(
        fileName.startsWith('surround') || fileName === 'plain.mp3' || fileName === 'aac.aac' ? undefined : 'Sweep',
      )
    },
  )

  test.each(FILE_TYPES)('%s has the same samples when it is decoded to the disk', async (fileName) => {
    const file = await loadFixtureFile(fileName)
    const wholeFile = await decodeFile(file)
    const streamedFile = await decodeFile(file, { memoryBytes: 0 })
    expect(streamedFile.details).toEqual({ ...wholeFile.details, streamed: true, peaks: streamedFile.details.peaks })
    expect(streamedFile.details.peaks.framesPerPeak).toBe(wholeFile.details.peaks.framesPerPeak)
    const [expectedSamples, actualSamples] = await Promise.all([readSamples(wholeFile.sound), readSamples(streamedFile.sound)])
    let largestDifference = 0
    expectedSamples.forEach((samples, channelIndex) => {
      samples.forEach((sample, frame) => {
        largestDifference = Math.max(largestDifference, Math.abs(sample - (actualSamples[channelIndex]?.[frame] ?? 9)))
      })
    })
    expect(largestDifference).toBeLessThan(1e-6)
    streamedFile.sound.dispose()
  })
})

test('decode: WebM decodes to the same length within 10 ms in memory and on the disk', async () => {
  for (const memoryBytes of [undefined, 0]) {
    const { sound, details } = await decodeFile(await loadFixtureFile('opus.webm'), { memoryBytes })
    expect(details).toMatchObject({ sampleRate: 48_000, channels: 2, truncated: false })
    expect(Math.abs(details.durationS - 0.3)).toBeLessThan(0.01)
    sound.dispose()
  }
})

test.each(['tagged.mp3', 'plain.mp3', 'vorbis.ogg', 'opus.opus', 'aac.aac', 'flac.flac'])(
  'decode: %s that ends early decodes up to its end',
  async (fileName) => {
    const bytes = await readFixtureBytes(fileName)
    const [wholeFile, cutFile] = [
      await decodeFile(await loadFixtureFile(fileName)),
      await decodeFile(createSoundFile(fileName, bytes.slice(0, bytes.length * 0.7))),
    ]
    expect(cutFile.sound.frames).toBeGreaterThan(0.4 * wholeFile.sound.frames)
    expect(cutFile.sound.frames).toBeLessThan(0.8 * wholeFile.sound.frames)
    if (fileName === 'tagged.mp3') expect(cutFile.details.truncated).toBe(true)
  },
)

describe('decode: a WAV file', () => {
  const leftSamples = synthesizeSine(4800)
  const rightSamples = synthesizeSine(4800, 60, 0.25)

  test.each([
    ['8 bits', { bits: 8 }, 1 / 128],
    ['16 bits', { bits: 16 }, 2 ** -15],
    ['24 bits', { bits: 24 }, 2 ** -23],
    ['32 bits', { bits: 32 }, 2 ** -24],
    ['floats', { bits: 32, float: true }, 2 ** -24],
    ['floats of 64 bits', { bits: 64, float: true }, 2 ** -24],
    ['the extensible format', { bits: 24, extensible: true }, 2 ** -23],
  ] as const)('a WAV file of %s is decoded to within one quantization step', async (_, wavOptions, quantizationStep) => {
    const { sound } = await decodeFile(
      createSoundFile('a.wav', createWavBytes([leftSamples, rightSamples], { sampleRate: 48_000, ...wavOptions })),
    )
    expect(sound).toMatchObject({ sampleRate: 48_000, channels: 2, frames: 4800 })
    const [readLeft = new Float32Array(), readRight = new Float32Array()] = await readSamples(sound)
    expect(Math.max(...readLeft.map((sample, frame) => Math.abs(sample - (leftSamples[frame] ?? 0))))).toBeLessThan(quantizationStep)
    expect(Math.max(...readRight.map((sample, frame) => Math.abs(sample - (rightSamples[frame] ?? 0))))).toBeLessThan(quantizationStep)
  })

  test.each([8000, 11_025, 22_050, 88_200, 96_000, 176_400, 192_000])('a WAV file of %i Hz keeps its sampling rate', async (sampleRate) => {
    const { sound } = await decodeFile(createSoundFile('a.wav', createWavBytes([leftSamples], { sampleRate })))
    expect(sound).toMatchObject({ sampleRate, channels: 1, frames: 4800 })
  })

  test('a WAV file of one frame is decoded', async () => {
    const { sound, details } = await decodeFile(createSoundFile('a.wav', createWavBytes([[0.5]])))
    expect(await readSamples(sound)).toEqual([new Float32Array([0.5])])
    expect(details.peaks).toEqual({ framesPerPeak: 256, values: new Float32Array([0.5, 0.5]) })
  })

  test('a WAV file that ends early is decoded up to its end, and is marked as truncated', async () => {
    const wholeFile = createWavBytes([leftSamples, rightSamples])
    const { sound, details } = await decodeFile(createSoundFile('a.wav', wholeFile.slice(0, wholeFile.length - 4001)))
    expect(details).toMatchObject({ frames: 3799, truncated: true })
    expect(sound.frames).toBe(3799)
  })

  test('a WAV file whose header does not state the size of the samples is read to its end', async () => {
    const { details } = await decodeFile(createSoundFile('a.wav', createWavBytes([leftSamples], { declaredBytes: 0xffffffff })))
    expect(details).toMatchObject({ frames: 4800, truncated: false })
  })

  test('a WAV file decodes to the same samples in memory and on the disk', async () => {
    const file = createSoundFile('a.wav', createWavBytes([synthesizeSine(100_000), synthesizeSine(100_000, 33)], { bits: 24 }))
    const [wholeFile, streamedFile] = [await decodeFile(file), await decodeFile(file, { memoryBytes: 0 })]
    expect(streamedFile.details).toEqual({ ...wholeFile.details, streamed: true })
    await expectSameSound(streamedFile.sound, wholeFile.sound)
    streamedFile.sound.dispose()
  })

  test('a 5.1 WAV file is mixed down by ITU-R BS.775, never louder than its loudest channel', async () => {
    const createPulseChannel = (channel: number) => Array.from({ length: 6 }, (_, index) => (index === channel ? [1] : [0]))
    const decodeMixed = async (channelIndex: number) => {
      const { sound } = await decodeFile(
        createSoundFile(
          'a.wav',
          createWavBytes(createPulseChannel(channelIndex), { bits: 32, float: true, extensible: true, channelMask: 0x3f }),
        ),
      )
      return (await readSamples(sound)).map(([sample = 9]) => sample)
    }
    const mixGain = 1 / (1 + Math.SQRT2)
    const expectedSamples = [
      [mixGain, 0],
      [0, mixGain],
      [mixGain * Math.SQRT1_2, mixGain * Math.SQRT1_2],
      [0, 0],
      [mixGain * Math.SQRT1_2, 0],
      [0, mixGain * Math.SQRT1_2],
    ]
    for (const [channelIndex, expectedStereoSamples] of expectedSamples.entries()) {
      const mixedSamples = await decodeMixed(channelIndex)
      expectedStereoSamples.forEach((side, index) => {
        expect(mixedSamples[index]).toBeCloseTo(side, 6)
      })
    }
  })

  test('invalid floats of a WAV file are decoded as silence', async () => {
    const { sound } = await decodeFile(
      createSoundFile('a.wav', createWavBytes([[0.5, Number.NaN, Number.POSITIVE_INFINITY, -3e38]], { bits: 32, float: true })),
    )
    expect(await readSamples(sound)).toEqual([new Float32Array([0.5, 0, 0, 0])])
  })
})

describe.each([
  [16, 1],
  [16, 2],
  [24, 1],
  [24, 2],
] as const)('decode: a FLAC file of %i bits and %i channels', (bitDepth, channelCount) => {
  const nextNoise = createNoise()
  const fullScale = 2 ** (bitDepth - 1)
  const channelSamples = Array.from({ length: channelCount }, () => [
    -fullScale,
    fullScale - 1,
    ...Array.from({ length: 9000 }, () => Math.round(0.9 * fullScale * nextNoise())),
  ])

  test.each([
    ['in memory', undefined],
    ['on the disk', 0],
  ])('a FLAC file has the samples of the WAV file from which it was made, %s', async (_, memoryBytes) => {
    const decodedFlac = await decodeFile(
      createSoundFile('a.flac', createFlacFile(channelSamples, { sampleRate: 44_100, bits: bitDepth })),
      {
        memoryBytes,
      },
    )
    const channelFractions = channelSamples.map((samples) => samples.map((sample) => sample / fullScale))
    const decodedWav = await decodeFile(createSoundFile('a.wav', createWavBytes(channelFractions, { bits: bitDepth })))
    expect(decodedFlac.details).toMatchObject({ frames: 9002, truncated: false })
    await expectSameSound(decodedFlac.sound, decodedWav.sound)
    decodedFlac.sound.dispose()
  })
})

describe.each([
  ['AIFF', createAiffBytes],
  ['CAF', createCafBytes],
] as const)('decode: %s', (_, createFile) => {
  test.each([
    ['8 bits', { bits: 8 }],
    ['16 bits', { bits: 16 }],
    ['24 bits', { bits: 24 }],
    ['32 bits', { bits: 32 }],
    ['16 bits, little-endian', { bits: 16, littleEndian: true }],
    ['floats of 32 bits', { bits: 32, float: true }],
    ['floats of 64 bits', { bits: 64, float: true }],
  ] as const)('an AIFF or CAF file of %s has the samples of the same WAV file', async (_, formatOptions) => {
    const channelSamples = [synthesizeSine(5000), synthesizeSine(5000, 60, 0.9)]
    const { sound, details } = await decodeFile(createSoundFile('a', createFile(channelSamples, formatOptions), 'audio/aiff'))
    expect(details).toMatchObject({ sampleRate: 44_100, sourceChannels: 2, frames: 5000, truncated: false })
    const wav = await decodeFile(createSoundFile('a.wav', createWavBytes(channelSamples, formatOptions)))
    await expectSameSound(sound, wav.sound)
  })

  test('an AIFF or CAF file that ends early is decoded up to its end', async () => {
    const bytes = createFile([synthesizeSine(1000)], {})
    const { details } = await decodeFile(createSoundFile('a.aiff', bytes.slice(0, -1001)))
    expect(details).toMatchObject({ frames: 499, truncated: true })
  })
})

test('decode: AAC and FLAC do not block the page; M4A whose encoder delay is in a comment is decoded by the browser', async () => {
  const decoderSpy = vi.spyOn(OfflineAudioContext.prototype, 'decodeAudioData')
  for (const name of ['aac.m4a', 'aac.aac', 'flac.flac']) await decodeFile(await loadFixtureFile(name))
  expect(decoderSpy).not.toHaveBeenCalled()
  const bytes = await readFixtureBytes('aac.m4a')
  bytes.set(new TextEncoder().encode('iTunSMPB'), new TextDecoder('latin1').decode(bytes).lastIndexOf('SoundHandler'))
  expect((await decodeFile(createSoundFile('a.m4a', bytes))).sound.frames).toBe(52_920)
  expect(decoderSpy).toHaveBeenCalledTimes(1)
  decoderSpy.mockRestore()
})

describe('decode: an unusual file', () => {
  test('a file with a misleading name is decoded by its content', async () => {
    expect((await decodeFile(await readRenamedFixture('tagged.mp3', 'a.wav'))).details.frames).toBe(52_920)
    expect((await decodeFile(await readRenamedFixture('flac.flac', 'a.mp3'))).details.frames).toBe(6615)
    expect((await decodeFile(await readRenamedFixture('aac.m4a', 'notes.txt'))).details.frames).toBe(52_920)
  })

  test('an MP3 file with other bytes before its packets is decoded', async () => {
    const { blob } = await loadFixtureFile('tagged.mp3')
    const { sound } = await decodeFile(createSoundFile('a.mp3', new Blob([new Uint8Array(6000).fill(0x55), blob])))
    expect(sound.frames).toBeGreaterThan(50_000)
  })

  test.each([
    ['a page called .mp3', createSoundFile('a.mp3', '<!doctype html><p>Not found</p>'.repeat(200)), 'undecodable'],
    ['a page by its type a sound', createSoundFile('a', '<!doctype html>', 'audio/mpeg'), 'undecodable'],
    ['a text', createSoundFile('notes.txt', 'do re mi'), 'invalid-type'],
    ['no name at all', createSoundFile('', new Uint8Array(1000)), 'invalid-type'],
    ['0 bytes', createSoundFile('a.mp3', ''), 'no-sound'],
    ['a WAV file of 0 frames', createSoundFile('a.wav', createWavBytes([[]])), 'no-sound'],
    ['a WAV file at a rate of 0', createSoundFile('a.wav', createWavBytes([[0]], { sampleRate: 0 })), 'undecodable'],
  ] as const)('decode: %s is refused', async (_, file, failureKind) => {
    expect(await decodeSoundFile(file)).toEqual({ kind: failureKind })
  })

  test('ALAC is refused because it has no decoder, and truncated M4A because it has no index', async () => {
    expect(await decodeSoundFile(await loadFixtureFile('alac.m4a'))).toEqual({ kind: 'unsupported-codec', isConvertible: true })
    const bytes = await readFixtureBytes('aac.m4a')
    expect(await decodeSoundFile(createSoundFile('a.m4a', bytes.slice(0, 0.9 * bytes.length)))).toEqual({ kind: 'incomplete' })
  })

  test('a file that the browser never finishes decoding is given up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const decodeMock = vi.spyOn(OfflineAudioContext.prototype, 'decodeAudioData').mockReturnValue(new Promise(() => {}))
    try {
      const decodePromise = decodeSoundFile(createSoundFile('a.aac', new Uint8Array(4000).fill(7)))
      await vi.waitFor(() => expect(decodeMock).toHaveBeenCalledTimes(1))
      await vi.advanceTimersByTimeAsync(17_000)
      expect(await decodePromise).toEqual({ kind: 'undecodable' })
    } finally {
      decodeMock.mockRestore()
      vi.useRealTimers()
    }
  })

  test.each(['aac.m4a', 'aac.aac'])('%s: a decoder that neither decodes nor fails counts as missing', async (fileName) => {
    class SilentDecoder extends EventTarget {
      static isConfigSupported = async (config: AudioDecoderConfig) => ({ supported: true, config })
      state = 'unconfigured'
      decodeQueueSize = 0
      configure() {
        this.state = 'configured'
      }
      decode() {}
      flush = () => new Promise(() => {})
      close() {
        this.state = 'closed'
      }
    }
    vi.stubGlobal('AudioDecoder', SilentDecoder)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { blob } = await loadFixtureFile(fileName)
      let source: SampleSource | SourceFailure | undefined
      void openFile(blob).then((opened) => {
        source = opened
      })
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(1000)
        expect(source).toMatchObject({ facts: { sampleRate: 44_100, isStreamable: false, isWorkerPreferred: false } })
      })
      expect(source).not.toHaveProperty('chunks')
    } finally {
      vi.useRealTimers()
      vi.unstubAllGlobals()
    }
  })

  test.each(['enca', 'drms'])('M4A with a sample description of %s is protected', async (sampleEntryType) => {
    const bytes = await readFixtureBytes('aac.m4a')
    const at = new TextDecoder('latin1').decode(bytes).indexOf('mp4a', 0)
    bytes.set(new TextEncoder().encode(sampleEntryType), at)
    expect(await decodeSoundFile(createSoundFile('a.m4a', bytes))).toEqual({ kind: 'protected' })
  })
})

test('decode: a sound larger than the free storage is refused before decoding', async () => {
  const file = createSoundFile('a.wav', createWavBytes([synthesizeSine(1000), synthesizeSine(1000)]))
  const estimateSpy = vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ quota: 10_000, usage: 2001 })
  expect(await decodeSoundFile(file, { memoryBytes: 0 })).toEqual({ kind: 'too-large', neededBytes: 8000, availableBytes: 7999 })
  expect(await listScratchFiles()).toEqual([])
  estimateSpy.mockResolvedValue({ quota: 10_000, usage: 2000 })
  const { sound } = await decodeFile(file, { memoryBytes: 0 })
  estimateSpy.mockRestore()
  sound.dispose()
  await expect.poll(listScratchFiles).toEqual([])
})

describe('decode: cancelling', () => {
  /** A file of 128 MiB that repeats one block. */
  const createLongWavFile = () => {
    const block = new Int16Array(2 ** 20)
    const header = encodeWavHeader({ format: 'int16', channels: 1, sampleRate: 44_100, frames: 64 * block.length })
    return { name: 'a.wav', blob: new Blob([header, ...Array.from({ length: 64 }, () => block)]) }
  }

  test.each([
    ['in memory', undefined],
    ['on the disk', 0],
  ])('cancelling a decode takes less than 100 ms and leaves no file %s', async (_, memoryBytes) => {
    const file = createLongWavFile()
    const controller = new AbortController()
    const decodePromise = decodeSoundFile(file, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
      memoryBytes,
    })
    let abortedAtMs = 0
    controller.signal.addEventListener('abort', () => {
      abortedAtMs = performance.now()
    })
    expect(await decodePromise).toEqual({ kind: 'cancelled' })
    expectFasterThan(performance.now() - abortedAtMs, 100)
    await expect.poll(listScratchFiles, { interval: 10 }).toEqual([])
  })

  test('decoding can be cancelled before it starts and while the browser decodes', async () => {
    expect(await decodeSoundFile(await loadFixtureFile('tagged.mp3'), { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' })
    const controller = new AbortController()
    const result = decodeSoundFile(await loadFixtureFile('tagged.mp3'), { signal: controller.signal, onProgress: () => controller.abort() })
    expect(await result).toEqual({ kind: 'cancelled' })
  })
})

async function readRenamedFixture(name: string, otherName: string): Promise<SoundFile> {
  return { name: otherName, blob: (await loadFixtureFile(name)).blob }
}

async function listScratchFiles(): Promise<string[]> {
  const scratchFolder = await (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch', { create: true })
  const names: string[] = []
  for await (const name of scratchFolder.keys()) names.push(name)
  return names
}
