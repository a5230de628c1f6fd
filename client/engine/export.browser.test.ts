import audioBufferToWav from 'audiobuffer-to-wav'
import { afterEach, describe, expect, it } from 'vitest'
import { CEILING } from '../../dsp/levels.ts'
import { readWav } from '../../dsp/read-wav.ts'
import { checksumOf, KNOWN_WAVS, knownSound } from '../../dsp/testing/known-wav.ts'
import { toneSource } from '../../dsp/testing/tone.ts'
import type { ExportFormat, MakerSettings } from './engine.ts'
import { estimateExport, startExport } from './export.ts'
import { mp3Frames } from './mp3-info.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { sweepScratch } from './scratch.ts'
import { createMemorySound } from './sound.ts'
import { exportIntWav, type FileJob } from './wav-export.ts'

const SAMPLE_RATE = 44_100
const plain: MakerSettings = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const untitled = { name: 'city lights.mp3', title: undefined, artist: undefined, bpm: undefined }

let pool: RenderPool | undefined
afterEach(() => pool?.dispose())

function poolOf(workers: number): RenderPool {
  pool?.dispose()
  pool = createRenderPool(workers)
  return pool
}

const bytesOf = async (file: Blob | undefined) => new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())

const jobOf = (known: (typeof KNOWN_WAVS)[number], changes: Partial<FileJob> = {}): FileJob => ({
  sound: createMemorySound(knownSound(known), SAMPLE_RATE),
  settings: known.settings,
  tags: {},
  keep: { memoryBytes: 2 ** 22, diskBytes: 2 ** 26 },
  sink: undefined,
  onProgress: () => {},
  signal: new AbortController().signal,
  ...changes,
})

/** What a sink got. */
function collector(writeMs = 0) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
    async write(bytes) {
      if (writeMs > 0) await new Promise((resolve) => setTimeout(resolve, writeMs))
      parts.push(bytes)
    },
  })
  return { sink, file: () => new Blob(parts) }
}

const tone = (frequencyHz: number, frames: number) =>
  createMemorySound(toneSource({ frequencyHz, frames }).channels as [Float32Array<ArrayBuffer>], SAMPLE_RATE)

async function exported(format: ExportFormat, order: Partial<Parameters<typeof startExport>[1]> = {}) {
  const sound = tone(997, 5 * SAMPLE_RATE)
  const result = await startExport(poolOf(2), {
    sound,
    about: untitled,
    settings: plain,
    format,
    sink: undefined,
    onProgress: () => {},
    ...order,
  }).result
  if (result.kind !== 'exported') throw new Error(`${result.kind} ${'reason' in result ? result.reason : ''}`)
  return result
}

describe.each(KNOWN_WAVS)('a $name file', (known) => {
  it.each([1, 2, 4])('has the bytes that Node writes, from %i workers', async (workers) => {
    const { file } = await exportIntWav(poolOf(workers), jobOf(known))
    expect(checksumOf(await bytesOf(file))).toBe(known.checksum)
  })

  it('has them without room for what is kept, and in a sink', async () => {
    const { sink, file } = collector(5)
    await exportIntWav(poolOf(2), jobOf(known, { sink, keep: { memoryBytes: 0, diskBytes: 2 ** 21 } }))
    expect(checksumOf(await bytesOf(file()))).toBe(known.checksum)
    const rendered = await exportIntWav(poolOf(2), jobOf(known, { keep: { memoryBytes: 0, diskBytes: 0 } }))
    expect(checksumOf(await bytesOf(rendered.file))).toBe(known.checksum)
  })
})

it('lowers what would clip by just as much as it says', async () => {
  const hot = KNOWN_WAVS.find(({ name }) => name === 'hot')
  if (hot === undefined) throw new Error('no hot sound')
  const { file, gain } = await exportIntWav(poolOf(2), jobOf(hot))
  const loudest = readWav(await bytesOf(file)).channels.map((channel) =>
    channel.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  )
  expect(gain).toBeLessThan(0.9)
  expect(Math.max(...loudest)).toBeGreaterThan(0.9995)
  expect(Math.max(...loudest)).toBeLessThanOrEqual(CEILING + 1.5 / 32_768)
})

it('writes the floats that audiobuffer-to-wav writes', async () => {
  const { file, loweredDb } = await exported('wav-float32', { about: { ...untitled, title: 'City Lights' } })
  const own = await bytesOf(file)
  const { channels, frames, tags } = readWav(own)
  const buffer = new AudioBuffer({ numberOfChannels: 2, length: frames, sampleRate: SAMPLE_RATE })
  for (const [index, channel] of channels.entries()) buffer.copyToChannel(channel, index)
  const theirs = new Uint8Array(audioBufferToWav(buffer, { float32: true }))
  expect(own.subarray(own.length - 8 * frames)).toEqual(theirs.subarray(44))
  expect(tags.title).toBe('City Lights')
  expect(frames).toBe(4 * SAMPLE_RATE)
  expect(loweredDb).toBe(0)
})

it('keeps mono mono, and names the file by its song and settings', async () => {
  const [left] = toneSource({ frequencyHz: 997, frames: SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>]
  const about = { ...untitled, title: 'T', artist: 'A', bpm: 100 }
  const { file, fileName, bytes } = await exported('wav-int16', {
    sound: createMemorySound([left], SAMPLE_RATE),
    about,
    settings: { ...plain, pitch: 12, speed: 0.5 },
  })
  const wav = readWav(await bytesOf(file))
  expect(wav.channels).toHaveLength(1)
  expect(wav.tags).toEqual({ title: 'T', artist: 'A', bpm: 100 })
  expect(fileName).toBe('city lights (speed 0.5, pitch +12).wav')
  expect(bytes).toBe(file?.size)
})

describe('an mp3 file', () => {
  const decoded = async (file: Blob | undefined, sampleRate = SAMPLE_RATE) =>
    new OfflineAudioContext(2, 1, sampleRate).decodeAudioData(await (file ?? new Blob()).arrayBuffer())

  /** What share of the power is at `frequencyHz`. */
  function share(samples: Float32Array, frequencyHz: number, sampleRate: number): number {
    let [re, im, power] = [0, 0, 0]
    samples.forEach((sample, frame) => {
      re += sample * Math.cos((2 * Math.PI * frequencyHz * frame) / sampleRate)
      im += sample * Math.sin((2 * Math.PI * frequencyHz * frame) / sampleRate)
      power += sample * sample
    })
    return (2 * (re * re + im * im)) / samples.length / power
  }

  it('has the tone, the length and the tags', async () => {
    const { file, fileName } = await exported('mp3', { about: { ...untitled, title: 'Lïchter 🌃', artist: 'A', bpm: 120 } })
    const buffer = await decoded(file)
    expect(buffer.numberOfChannels).toBe(2)
    expect(buffer.length).toBe(4 * SAMPLE_RATE)
    expect(share(buffer.getChannelData(0).subarray(SAMPLE_RATE, 2 * SAMPLE_RATE), 997 * 1.25, SAMPLE_RATE)).toBeGreaterThan(0.999)
    const head = new TextDecoder('utf-16le').decode((await bytesOf(file)).subarray(21, 43))
    expect(head).toBe('Lïchter 🌃')
    expect(fileName).toBe('city lights (speed 1.25, pitch 0).mp3')
  })

  it.each([1, 575, 576, 577, 1151, 1152, 1153, 5000])('of %i frames says how many there are, and comes out as long', async (frames) => {
    const sound = createMemorySound([new Float32Array(frames).fill(0.1)], SAMPLE_RATE)
    const { file } = await exported('mp3', { sound, settings: { ...plain, speed: 1 } })
    const bytes = await bytesOf(file)
    let count = 0
    for (let at = 0; at + 4 <= bytes.length; count++) {
      expect(bytes[at]).toBe(0xff)
      // Frames of 320 kbps at 44.1 kHz, some of them a byte longer.
      at += 1044 + (((bytes[at + 2] ?? 0) >> 1) & 1)
    }
    expect(count - 1).toBe(mp3Frames({ frames }))
    expect((await decoded(file)).length).toBe(frames)
  })

  it.each([
    ['192 kHz, 2.5 times as fast', 192_000, 19_200, { speed: 1.25, pitch: 12 }],
    ['8 kHz, at a 20th of the speed', 8000, 800, { speed: 0.1, pitch: -12 }],
    ['192 kHz, a single frame', 192_000, 1, { speed: 1, pitch: 0 }],
  ])('of %s there is none, and it is said before', async (_, sampleRate, frames, changes) => {
    const sound = createMemorySound([new Float32Array(frames).fill(0.5)], sampleRate)
    const settings = { ...plain, ...changes }
    expect(estimateExport(sound, untitled, settings, 'mp3', undefined).problem).toBe('no-length')
    const order = { sound, about: untitled, settings, format: 'mp3', sink: undefined, onProgress: () => {} } as const
    expect(await startExport(poolOf(1), order).result).toEqual({ kind: 'no-length' })
  })

  it('of a rate that the format has not is of the next one, at the same pitch', async () => {
    const sound = createMemorySound(toneSource({ frequencyHz: 997, frames: 44_100 }).channels as [Float32Array<ArrayBuffer>], 22_050)
    const { file } = await exported('mp3', { sound, settings: { ...plain, speed: 1 } })
    // A frame begins with 11 bits set; two bits of its third byte are its rate: 2 is 32 kHz.
    const head = (await bytesOf(file)).subarray(0, 3)
    expect([head[0], (head[1] ?? 0) >> 5, ((head[2] ?? 0) >> 2) & 3]).toEqual([0xff, 7, 2])
    const buffer = await decoded(file)
    // Half the rate that the tone was made for.
    expect(share(buffer.getChannelData(0).subarray(22_050, 44_100), 997 / 2, SAMPLE_RATE)).toBeGreaterThan(0.999)
    expect(Math.abs(buffer.length - 88_200)).toBeLessThan(3)
  })
})

describe('what goes wrong', () => {
  const start = (format: ExportFormat, order: Partial<Parameters<typeof startExport>[1]> = {}) =>
    startExport(poolOf(2), {
      // Long enough to be under way at each of the moments.
      sound: tone(997, 120 * SAMPLE_RATE),
      about: untitled,
      settings: plain,
      format,
      sink: undefined,
      onProgress: () => {},
      ...order,
    })

  it.each<ExportFormat>(['wav-int16', 'wav-float32', 'mp3'])('%s is cancelled at any moment, within 100 ms', async (format) => {
    for (const waitMs of [0, 1, 10, 50, 120, 200]) {
      const task = start(format)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      const cancelledAt = performance.now()
      task.cancel()
      expect(await task.result).toEqual({ kind: 'cancelled' })
      expect(performance.now() - cancelledAt).toBeLessThan(100)
    }
  })

  it.each<ExportFormat>(['wav-int16', 'wav-float32', 'mp3'])('%s into a sink that refuses says so', async (format) => {
    const refusing = (error: Error) => new WritableStream({ write: () => Promise.reject(error) })
    expect(await start(format, { sink: refusing(new Error('the stick was pulled')) }).result).toEqual({
      kind: 'failed',
      reason: 'the stick was pulled',
    })
    expect(await start(format, { sink: refusing(new DOMException('full', 'QuotaExceededError')) }).result).toEqual({ kind: 'no-room' })
  })

  it('a sink is let go when it is cancelled', async () => {
    let aborted = false
    const sink = new WritableStream({
      abort() {
        aborted = true
      },
    })
    const task = start('wav-float32', { sink })
    await new Promise((resolve) => setTimeout(resolve, 30))
    task.cancel()
    await task.result
    await expect.poll(() => aborted).toBe(true)
  })

  it('a sink that never answers does not hold it up', async () => {
    const task = start('wav-float32', { sink: new WritableStream({ write: () => new Promise(() => {}) }) })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const cancelledAt = performance.now()
    task.cancel()
    expect(await task.result).toEqual({ kind: 'cancelled' })
    expect(performance.now() - cancelledAt).toBeLessThan(100)
  })

  it('nothing that was kept on the disk stays there', async () => {
    const hot = KNOWN_WAVS.find(({ name }) => name === 'hot')
    if (hot === undefined) throw new Error('no hot sound')
    const names = async () => {
      const root = await navigator.storage.getDirectory()
      const directory = await root.getDirectoryHandle('maker-scratch', { create: true })
      const found: string[] = []
      for await (const name of directory.keys()) found.push(name)
      return found
    }
    const cancelling = new AbortController()
    const running = exportIntWav(
      poolOf(2),
      jobOf(hot, { signal: cancelling.signal, onProgress: (progress) => progress > 0.5 && cancelling.abort() }),
    )
    await expect(running).rejects.toThrow()
    await exportIntWav(poolOf(2), jobOf(hot))
    await expect.poll(names, { timeout: 3000 }).toEqual([])
    // As a page leaves it that ends in the middle: no lock, and a file.
    const directory = await (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch')
    await directory.getFileHandle('crashed', { create: true })
    await sweepScratch()
    expect(await names()).toEqual([])
  })

  it('a sound of which nothing is left has no length', async () => {
    expect(await start('wav-int16', { sound: createMemorySound([new Float32Array(0)], SAMPLE_RATE) }).result).toEqual({ kind: 'no-length' })
  })

  it('a sound that cannot be read fails the export, and the next one works', async () => {
    const broken = { ...tone(997, SAMPLE_RATE), read: () => Promise.reject(new Error('the disk is gone')) }
    expect(await start('wav-int16', { sound: broken }).result).toEqual({ kind: 'failed', reason: 'the disk is gone' })
    expect((await exported('wav-int16')).bytes).toBeGreaterThan(0)
  })
})
