import audioBufferToWav from 'audiobuffer-to-wav'
import { afterEach, describe, expect, it } from 'vitest'
import { PEAK_CEILING } from '../../dsp/levels.ts'
import { readWav } from '../../dsp/read-wav.ts'
import { computeChecksum, KNOWN_WAVS, type KnownWav, synthesizeKnownSound } from '../../dsp/testing/known-wav.ts'
import { synthesizeTone } from '../../dsp/testing/tone.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { decodeSoundFile } from './decode.ts'
import type { ExportFormat, MakerSettings } from './engine.ts'
import { estimateExportSize } from './export-estimate.ts'
import { compileWasmModule } from './kernel-module.ts'
import lameUrl from './lame/lame.wasm?url'
import { exportIntegers, type FileExportJob } from './lossless-export.ts'
import { exportMp3 } from './mp3-export.ts'
import { buildMp3InfoFrame, countMp3Frames } from './mp3-info.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { toPlaybackRate } from './render-settings.ts'
import { removeAbandonedScratchFiles } from './scratch.ts'
import { createMemorySound } from './sound.ts'
import { synthesizeDrumLoop } from './testing/drum-loop.ts'
import { startExport } from './testing/start-export.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import type { Mp3Calls } from './workers/calls.ts'
import mp3WorkerUrl from './workers/mp3-worker.ts?worker&url'
import { readSourceTags } from './workers/source-tags.ts'

const SAMPLE_RATE = 44_100
/** The length of the sounds that become FLAC files, whose encoding is slow. At each rate, they are rendered in two segments. */
const FLAC_INPUT_FRAMES = 200_000
const plainSettings: MakerSettings = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const untitledDetails = { name: 'city lights.mp3', title: undefined, artist: undefined, bpm: undefined }

let pool: RenderPool | undefined
afterEach(() => pool?.dispose())

function createPool(workerCount: number): RenderPool {
  pool?.dispose()
  pool = createRenderPool(workerCount)
  return pool
}

const readBytes = async (file: Blob | undefined) => new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())

const samplesByWavName = new Map(KNOWN_WAVS.map((knownWav) => [knownWav.name, synthesizeKnownSound(knownWav)]))

function createHotWav() {
  const hot = KNOWN_WAVS.find(({ name }) => name === 'hot')
  if (hot === undefined) throw new Error('no hot sound')
  return hot
}

const createJob = (knownWav: (typeof KNOWN_WAVS)[number], jobChanges: Partial<FileExportJob> = {}): FileExportJob => ({
  sound: createMemorySound(samplesByWavName.get(knownWav.name) ?? [], SAMPLE_RATE),
  settings: knownWav.settings,
  tags: {},
  cover: undefined,
  cache: { memoryBytes: 2 ** 22, diskBytes: 2 ** 26 },
  sink: undefined,
  diskFile: undefined,
  onProgress: () => {},
  signal: new AbortController().signal,
  ...jobChanges,
})

/** Returns a sink, and a function that returns the file of all bytes that the sink received. */
function createCollectingSink(writeMs = 0) {
  const writtenChunks: Uint8Array<ArrayBuffer>[] = []
  const recordingSink = new WritableStream<Uint8Array<ArrayBuffer>>({
    async write(bytes) {
      if (writeMs > 0) await new Promise((resolve) => setTimeout(resolve, writeMs))
      writtenChunks.push(bytes)
    },
  })
  return { sink: recordingSink, file: () => new Blob(writtenChunks) }
}

const createToneSound = (frequencyHz: number, frames: number) =>
  createMemorySound(synthesizeTone({ frequencyHz, frames }).channels as [Float32Array<ArrayBuffer>], SAMPLE_RATE)

async function exportTone(format: ExportFormat, request: Partial<Parameters<typeof startExport>[1]> = {}) {
  const sound = createToneSound(997, 5 * SAMPLE_RATE)
  const exportResult = await startExport(createPool(2), {
    sound,
    details: untitledDetails,
    settings: plainSettings,
    format,
    sink: undefined,
    onProgress: () => {},
    ...request,
  }).result
  if (exportResult.kind !== 'exported') throw new Error(`${exportResult.kind} ${'reason' in exportResult ? exportResult.reason : ''}`)
  return exportResult
}

describe.each(KNOWN_WAVS)('export: a $name file', (knownWav) => {
  it.each([1, 2, 4])('the exported file has the same bytes as a file that Node renders, with %i workers', async (workerCount) => {
    const { file } = await exportIntegers('wav-int16')(createPool(workerCount), createJob(knownWav))
    expect(computeChecksum(await readBytes(file))).toBe(knownWav.checksum)
  })

  it('an exported WAV file has the same bytes without a segment cache, and when written to a sink', async () => {
    const { sink, file } = createCollectingSink(5)
    await exportIntegers('wav-int16')(createPool(2), createJob(knownWav, { sink, cache: { memoryBytes: 0, diskBytes: 2 ** 21 } }))
    expect(computeChecksum(await readBytes(file()))).toBe(knownWav.checksum)
    const renderedFile = await exportIntegers('wav-int16')(createPool(2), createJob(knownWav, { cache: { memoryBytes: 0, diskBytes: 0 } }))
    expect(computeChecksum(await readBytes(renderedFile.file))).toBe(knownWav.checksum)
  })
})

it('export: a sound that would clip is made quieter, by the gain that the export reports', async () => {
  const { file, loweredDb } = await exportIntegers('wav-int16')(createPool(2), createJob(createHotWav()))
  const channelPeaks = (await readWav(await readBytes(file))).channels.map((channel) =>
    channel.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  )
  expect(loweredDb).toBeGreaterThan(1)
  expect(Math.max(...channelPeaks)).toBeGreaterThan(0.9995)
  expect(Math.max(...channelPeaks)).toBeLessThanOrEqual(PEAK_CEILING + 1.5 / 32_768)
})

it('export: the float WAV file has the same samples that audiobuffer-to-wav writes', async () => {
  const { file, loweredDb } = await exportTone('wav-float32', { details: { ...untitledDetails, title: 'City Lights' } })
  const exportedBytes = await readBytes(file)
  const { channels, frames, tags } = await readWav(exportedBytes)
  const buffer = new AudioBuffer({ numberOfChannels: 2, length: frames, sampleRate: SAMPLE_RATE })
  for (const [index, channel] of channels.entries()) buffer.copyToChannel(channel, index)
  const libraryBytes = new Uint8Array(audioBufferToWav(buffer, { float32: true }))
  const exportedSamples = exportedBytes.subarray(exportedBytes.length - 8 * frames)
  const librarySamples = libraryBytes.subarray(44)
  expect(exportedSamples).toHaveLength(librarySamples.length)
  expect(exportedSamples.findIndex((byte, index) => byte !== librarySamples[index])).toBe(-1)
  expect(tags.title).toBe('City Lights')
  expect(frames).toBe(4 * SAMPLE_RATE)
  expect(loweredDb).toBe(0)
})

describe.each(['16', '24'] as const)('export: a FLAC file of %s bits', (bits) => {
  const [flacFile, wavFile] = [exportIntegers(`flac-int${bits}`), exportIntegers(`wav-int${bits}`)]
  // Encoding takes seconds, so `npm test` encodes one sound of each bit depth.
  const isQuick = ({ name }: KnownWav) => name === (bits === '16' ? 'quiet' : 'with all')
  const testTitle = 'has the samples of the WAV file, with any number of workers, also in a sink: $name'

  it.each(KNOWN_WAVS.filter(isQuick))(testTitle, checkFlac)
  it.each(KNOWN_WAVS.filter((knownWav) => !isQuick(knownWav)))(testTitle, { tags: ['long'] }, checkFlac)

  async function checkFlac(knownWav: KnownWav) {
    const shortSound = createMemorySound(
      (samplesByWavName.get(knownWav.name) ?? []).map((samples) => samples.subarray(0, FLAC_INPUT_FRAMES)),
      SAMPLE_RATE,
    )
    const exportedFiles = await Promise.all(
      [1, 3].map(async (workerCount) => {
        const workerPool = createRenderPool(workerCount)
        const { file } = await flacFile(workerPool, createJob(knownWav, { sound: shortSound })).finally(workerPool.dispose)
        return readBytes(file)
      }),
    )
    const { sink, file: sinkFile } = createCollectingSink()
    await flacFile(createPool(2), createJob(knownWav, { sound: shortSound, sink, cache: { memoryBytes: 0, diskBytes: 2 ** 21 } }))
    expect(new Set([...exportedFiles, await readBytes(sinkFile())].map(computeChecksum)).size).toBe(1)

    const expectedWav = await readWav(await readBytes((await wavFile(createPool(2), createJob(knownWav, { sound: shortSound }))).file))
    const decodedFlac = await decodeSoundFile({ name: 'a.flac', blob: new Blob(exportedFiles.slice(0, 1)) })
    if (decodedFlac.kind !== 'decoded') throw new Error(decodedFlac.kind)
    const { sound, details } = decodedFlac
    const channelSamples = expectedWav.channels.map(({ length }) => new Float32Array(length))
    await sound.read(0, channelSamples)
    expect(details).toMatchObject({ truncated: false, damaged: false })
    expect(
      channelSamples.map((samples, channel) => samples.findIndex((sample, frame) => sample !== expectedWav.channels[channel]?.[frame])),
    ).toEqual(channelSamples.map(() => -1))
  }
})

it.each(['wav-int24', 'flac-int24', 'flac-int16', 'mp3'] as const)(
  'export: tags have the texts and the cover of the song: %s',
  async (format) => {
    const coverBlob = new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])], { type: 'image/png' })
    const outputTags = { title: '夜 🌃', artist: 'A', album: 'B', year: '2019' }
    const { file, bytes } = await exportTone(format, { details: { ...untitledDetails, ...outputTags, cover: coverBlob } })
    expect(bytes).toBe(file?.size)
    const readBack = await readSourceTags(file ?? new Blob())
    expect(readBack).toMatchObject(outputTags)
    expect(await readBytes(readBack.cover)).toEqual(await readBytes(coverBlob))
  },
)

it('export: a mono sound is exported as mono, and the file name states song and settings', async () => {
  const [leftSamples] = synthesizeTone({ frequencyHz: 997, frames: SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>]
  const soundDetails = { ...untitledDetails, title: 'T', artist: 'A', bpm: 100 }
  const { file, fileName, bytes } = await exportTone('wav-int16', {
    sound: createMemorySound([leftSamples], SAMPLE_RATE),
    details: soundDetails,
    settings: { ...plainSettings, pitch: 12, speed: 0.5 },
  })
  const wav = await readWav(await readBytes(file))
  expect(wav.channels).toHaveLength(1)
  expect(wav.tags).toEqual({ title: 'T', artist: 'A', bpm: 100 })
  expect(fileName).toBe('city lights (speed 0.5, pitch +12).wav')
  expect(bytes).toBe(file?.size)
})

describe('export: an MP3 file', () => {
  const decodeExport = async (file: Blob | undefined, sampleRate = SAMPLE_RATE) =>
    new OfflineAudioContext(2, 1, sampleRate).decodeAudioData(await (file ?? new Blob()).arrayBuffer())

  /** Returns the share of the sound's power at `frequencyHz`, from 0 to 1. */
  function measurePowerShare(samples: Float32Array, frequencyHz: number, sampleRate: number): number {
    let [re, im, totalPower] = [0, 0, 0]
    samples.forEach((sample, frame) => {
      re += sample * Math.cos((2 * Math.PI * frequencyHz * frame) / sampleRate)
      im += sample * Math.sin((2 * Math.PI * frequencyHz * frame) / sampleRate)
      totalPower += sample * sample
    })
    return (2 * (re * re + im * im)) / samples.length / totalPower
  }

  it('an exported MP3 file has the tone and the length of the sound, and the tags', async () => {
    const { file, fileName } = await exportTone('mp3', { details: { ...untitledDetails, title: 'Lïchter 🌃', artist: 'A', bpm: 120 } })
    const audioBuffer = await decodeExport(file)
    expect(audioBuffer.numberOfChannels).toBe(2)
    expect(audioBuffer.length).toBe(4 * SAMPLE_RATE)
    expect(
      measurePowerShare(audioBuffer.getChannelData(0).subarray(SAMPLE_RATE, 2 * SAMPLE_RATE), 997 * 1.25, SAMPLE_RATE),
    ).toBeGreaterThan(0.999)
    const headText = new TextDecoder('utf-16le').decode((await readBytes(file)).subarray(21, 43))
    expect(headText).toBe('Lïchter 🌃')
    expect(fileName).toBe('city lights (speed 1.25, pitch 0).mp3')
  })

  it.each([1, 575, 576, 577, 1151, 1152, 1153, 5000])(
    'an MP3 file of %i samples announces its number of frames, and decodes to the same length',
    async (frameCount) => {
      const sound = createMemorySound([new Float32Array(frameCount).fill(0.1)], SAMPLE_RATE)
      const { file } = await exportTone('mp3', { sound, settings: { ...plainSettings, speed: 1 } })
      const fileBytes = await readBytes(file)
      let packetCount = 0
      for (let packetOffset = 0; packetOffset + 4 <= fileBytes.length; packetCount++) {
        expect(fileBytes[packetOffset]).toBe(0xff)
        // MP3 frames of 320 kbps at 44.1 kHz have 1044 or 1045 bytes.
        packetOffset += 1044 + (((fileBytes[packetOffset + 2] ?? 0) >> 1) & 1)
      }
      expect(packetCount - 1).toBe(countMp3Frames({ frames: frameCount }))
      expect((await decodeExport(file)).length).toBe(frameCount)
    },
  )

  it.each([
    ['384 kHz', 384_000, 4, { speed: 1.5 }],
    ['192 kHz, 2.5 times as fast', 192_000, 4, { speed: 1.25, pitch: 12 }],
    ['8 kHz, at a 20th of the speed', 8000, 0.5, { speed: 0.1, pitch: -12 }],
  ])(
    'an MP3 file of a sound of %s, which the resampler cannot convert in a single step, has the tone and the length',
    async (_, sampleRate, durationS, settingChanges) => {
      const toneHz = 440
      const samples = Float32Array.from(
        { length: sampleRate * durationS },
        (_, frame) => 0.5 * Math.sin((2 * Math.PI * toneHz * frame) / sampleRate),
      )
      const settings = { ...plainSettings, ...settingChanges }
      const { file } = await exportTone('mp3', { sound: createMemorySound([samples], sampleRate), settings })
      const outputRate = sampleRate > 48_000 ? 48_000 : 32_000
      const audioBuffer = await decodeExport(file, outputRate)
      expect(audioBuffer.length).toBe(Math.round((samples.length / toPlaybackRate(settings) / sampleRate) * outputRate))
      const middle = audioBuffer.getChannelData(0).subarray(audioBuffer.length / 4, audioBuffer.length / 2)
      expect(measurePowerShare(middle, toneHz * toPlaybackRate(settings), outputRate)).toBeGreaterThan(0.999)
    },
  )

  const LOOP_SECONDS = 30
  const PACKET_FRAMES = 1152
  /** A loop with sharp onsets over soft noise, different in each channel, so that the encoder adapts to the sound all the time. */
  const loopSamples = [97, 140].map((bpm, channel) =>
    synthesizeDrumLoop(bpm, { seconds: LOOP_SECONDS }).map(
      (sample, frame) => 0.5 * sample + 0.05 * Math.sin(frame * frame * 1e-7 + channel),
    ),
  )

  it('an exported MP3 file has the same bytes with any number of encoders', { tags: ['long'] }, async () => {
    const exportedFiles = []
    // Only half of the loop is used: it is long enough to be encoded in three pieces.
    const sound = createMemorySound(
      loopSamples.map((samples) => samples.subarray(0, samples.length / 2)),
      SAMPLE_RATE,
    )
    for (const workerCount of [1, 3]) {
      const job = { sound, settings: { sampleRate: SAMPLE_RATE, rate: 0.9 }, tags: {} }
      exportedFiles.push(
        computeChecksum(await readBytes((await exportMp3(createPool(workerCount), { ...createJob(createHotWav()), ...job })).file)),
      )
    }
    expect(new Set(exportedFiles).size).toBe(1)
  })

  it('where its separately encoded pieces meet, an MP3 file sounds as if one encoder had written the whole file', {
    tags: ['long'],
  }, async () => {
    const sound = createMemorySound(loopSamples, SAMPLE_RATE)
    const { file } = await exportTone('mp3', { sound, settings: { ...plainSettings, speed: 1 } })
    const joinedSound = await decodeExport(file)
    const serialBuffer = await decodeExport(await encodeSerially(loopSamples))
    expect(joinedSound.length).toBe(LOOP_SECONDS * SAMPLE_RATE)
    const computeErrorPower = (buffer: AudioBuffer, firstFrame: number) => {
      let signalPower = 0
      for (const [channelIndex, channelSamples] of loopSamples.entries()) {
        const decoded = buffer.getChannelData(channelIndex)
        for (let frame = firstFrame; frame < firstFrame + PACKET_FRAMES; frame++)
          signalPower += ((decoded[frame] ?? 0) - (channelSamples[frame] ?? 0)) ** 2
      }
      return signalPower / (2 * PACKET_FRAMES)
    }
    const [seamDifferences, otherDifferences] = [[] as number[], [] as number[]]
    const pieceFrames = 245 * PACKET_FRAMES
    for (let packetIndex = 2; packetIndex < Math.floor(joinedSound.length / PACKET_FRAMES) - 2; packetIndex++) {
      const frameIndex = packetIndex * PACKET_FRAMES
      const packetsToSeam = Math.min(frameIndex % pieceFrames, pieceFrames - (frameIndex % pieceFrames)) / PACKET_FRAMES
      const excess = computeErrorPower(joinedSound, frameIndex) / (computeErrorPower(serialBuffer, frameIndex) + 1e-12)
      if (frameIndex > pieceFrames / 2 && packetsToSeam <= 3) seamDifferences.push(excess)
      else otherDifferences.push(excess)
    }
    expect(seamDifferences.length).toBeGreaterThan(20)
    expect(Math.max(...seamDifferences)).toBeLessThan(Math.max(1.5, ...otherDifferences))
    expect(Math.max(...seamDifferences)).toBeLessThan(2)
  })

  /** Encodes a sound as a single piece, with one encoder. */
  async function encodeSerially(channelSamples: readonly Float32Array<ArrayBuffer>[]): Promise<Blob> {
    const frameCount = channelSamples[0]?.length ?? 0
    const mp3Encoder = createWorkerClient<Mp3Calls>(startWorker(mp3WorkerUrl))
    await mp3Encoder.call('open', { module: await compileWasmModule(lameUrl) })
    const mp3Piece = { warmUpPackets: 0, packets: countMp3Frames({ frames: frameCount }), isLast: true }
    const { bytes } = await mp3Encoder.call('encode', {
      samples: channelSamples,
      sampleRate: SAMPLE_RATE,
      kbps: 320,
      quality: 5,
      ...mp3Piece,
    })
    mp3Encoder.terminate()
    return new Blob([buildMp3InfoFrame({ sampleRate: SAMPLE_RATE, channels: 2, frames: frameCount }), bytes])
  }

  it('a sound of a single frame, whose output would have no frames, is refused by the estimate and by the export', async () => {
    const sound = createMemorySound([new Float32Array(1).fill(0.5)], 192_000)
    const settings = { ...plainSettings, speed: 1 }
    expect(estimateExportSize({ sound, details: untitledDetails, settings, format: 'mp3' }, undefined).exportProblem).toBe('no-length')
    const request = { sound, details: untitledDetails, settings, format: 'mp3', sink: undefined, onProgress: () => {} } as const
    expect(await startExport(createPool(1), request).result).toEqual({ kind: 'no-length' })
  })

  it('an MP3 file of a sound whose sampling rate the export does not support has the next higher rate, at the same pitch', async () => {
    const sound = createMemorySound(synthesizeTone({ frequencyHz: 997, frames: 44_100 }).channels as [Float32Array<ArrayBuffer>], 22_050)
    const { file } = await exportTone('mp3', { sound, settings: { ...plainSettings, speed: 1 } })
    // An MP3 frame starts with 11 bits set. Two bits of its third byte encode the sampling rate; the value 2 is 32 kHz.
    const headBytes = (await readBytes(file)).subarray(0, 3)
    expect([headBytes[0], (headBytes[1] ?? 0) >> 5, ((headBytes[2] ?? 0) >> 2) & 3]).toEqual([0xff, 7, 2])
    const audioBuffer = await decodeExport(file)
    // The expected frequency is halved, because the tone was generated for twice this sampling rate.
    expect(measurePowerShare(audioBuffer.getChannelData(0).subarray(22_050, 44_100), 997 / 2, SAMPLE_RATE)).toBeGreaterThan(0.999)
    expect(Math.abs(audioBuffer.length - 88_200)).toBeLessThan(3)
  })
})

describe('export: failures', () => {
  const longSound = createToneSound(997, 120 * SAMPLE_RATE)
  const startTestExport = (format: ExportFormat, request: Partial<Parameters<typeof startExport>[1]> = {}) =>
    startExport(createPool(2), {
      sound: longSound,
      details: untitledDetails,
      settings: plainSettings,
      format,
      sink: undefined,
      onProgress: () => {},
      ...request,
    })

  const expectCancelled = async (format: ExportFormat) => {
    for (const cancelProgress of [0, 0.01, 0.2, 0.5, 0.7, 0.9]) {
      let cancelledAtMs = performance.now()
      const cancelAt = (progressFraction: number) => {
        if (progressFraction < cancelProgress) return
        cancelledAtMs = performance.now()
        exportTask.cancel()
      }
      const exportTask = startTestExport(format, { onProgress: cancelAt })
      cancelAt(0)
      expect(await exportTask.result).toEqual({ kind: 'cancelled' })
      expectFasterThan(performance.now() - cancelledAtMs, 100)
    }
  }
  it('an export as 16-bit WAV is cancelled within 100 ms at any time', () => expectCancelled('wav-int16'))
  it.each(['wav-float32', 'flac-int24', 'mp3'] as const)(
    'an export as %s is cancelled within 100 ms at any time',
    { tags: ['long'] },
    expectCancelled,
  )

  it.each<ExportFormat>(['wav-int16', 'wav-float32', 'mp3'])(
    '%s into a sink that rejects a write fails with its reason',
    async (format) => {
      const createRefusingSink = (error: Error) => new WritableStream({ write: () => Promise.reject(error) })
      expect(await startTestExport(format, { sink: createRefusingSink(new Error('the stick was pulled')) }).result).toEqual({
        kind: 'failed',
        reason: 'the stick was pulled',
      })
      expect(await startTestExport(format, { sink: createRefusingSink(new DOMException('full', 'QuotaExceededError')) }).result).toEqual({
        kind: 'no-room',
      })
    },
  )

  it('the sink is aborted when the export is cancelled', async () => {
    let isSinkAborted = false
    const sink = new WritableStream({
      abort() {
        isSinkAborted = true
      },
    })
    const task = startTestExport('wav-float32', { sink, onProgress: () => task.cancel() })
    expect(await task.result).toEqual({ kind: 'cancelled' })
    await expect.poll(() => isSinkAborted).toBe(true)
  })

  it('export: a sink that never responds does not delay cancellation', async () => {
    const exportTask = startTestExport('wav-float32', { sink: new WritableStream({ write: () => new Promise(() => {}) }) })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const cancelledAtMs = performance.now()
    exportTask.cancel()
    expect(await exportTask.result).toEqual({ kind: 'cancelled' })
    expectFasterThan(performance.now() - cancelledAtMs, 100)
  })

  it('export: the files of the segment cache are removed from the disk', async () => {
    const listScratchFiles = async () => {
      const storageRoot = await navigator.storage.getDirectory()
      const scratchDirectory = await storageRoot.getDirectoryHandle('maker-scratch', { create: true })
      const foundNames: string[] = []
      for await (const name of scratchDirectory.keys()) foundNames.push(name)
      return foundNames
    }
    const abortController = new AbortController()
    const runningExport = exportIntegers('wav-int16')(
      createPool(2),
      createJob(createHotWav(), { signal: abortController.signal, onProgress: (progress) => progress > 0.5 && abortController.abort() }),
    )
    await expect(runningExport).rejects.toThrow()
    await exportIntegers('wav-int16')(createPool(2), createJob(createHotWav()))
    await expect.poll(listScratchFiles).toEqual([])
    // Simulates a page that crashed and left a scratch file without a lock.
    const directory = await (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch')
    await directory.getFileHandle('crashed', { create: true })
    await removeAbandonedScratchFiles()
    expect(await listScratchFiles()).toEqual([])
  })

  it('export: an empty sound is not exported, because its output has no length', async () => {
    expect(await startTestExport('wav-int16', { sound: createMemorySound([new Float32Array(0)], SAMPLE_RATE) }).result).toEqual({
      kind: 'no-length',
    })
  })

  it('an error while reading the sound fails the export, and the next export works', async () => {
    const brokenSound = { ...createToneSound(997, SAMPLE_RATE), read: () => Promise.reject(new Error('the disk is gone')) }
    expect(await startTestExport('wav-int16', { sound: brokenSound }).result).toEqual({ kind: 'failed', reason: 'the disk is gone' })
    expect((await exportTone('wav-int16')).bytes).toBeGreaterThan(0)
  })
})
