import { describe, expect, test, vi } from 'vitest'
import { type Decoded, type DecodeOptions, decode } from './decode.ts'
import type { SoundFile } from './engine.ts'
import type { Sound } from './sound.ts'
import { fileOf, fixture, fixtureBytes } from './testing/fixtures.ts'
import { tone, wavFile } from './testing/wav-file.ts'

async function decoded(file: SoundFile, options?: DecodeOptions): Promise<Decoded> {
  const result = await decode(file, options)
  if (result.kind !== 'decoded') throw new Error(`${file.name}: ${result.kind}`)
  return result
}

async function samplesOf(sound: Sound): Promise<Float32Array[]> {
  const into = Array.from({ length: sound.channels }, () => new Float32Array(sound.frames))
  await sound.read(0, into)
  return into
}

const TYPES = [
  ['tagged.mp3', 44_100, 2, 52_920],
  ['plain.mp3', 44_100, 2, 54_144],
  ['8khz.mp3', 8000, 1, 9600],
  ['vorbis.ogg', 44_100, 2, 52_920],
  ['opus.opus', 48_000, 2, 57_600],
  ['aac.m4a', 44_100, 2, 52_920],
  ['aac.aac', 44_100, 2, 54_272],
  ['flac.flac', 22_050, 2, 6615],
  ['24bit-96khz.flac', 96_000, 2, 1920],
  ['surround.m4a', 48_000, 2, 14_400],
  ['surround.flac', 8000, 2, 800],
] as const

describe('a file of any type', () => {
  test.each(TYPES)('%s has its own rate, channels and length', async (name, sampleRate, channels, frames) => {
    const { sound, details } = await decoded(await fixture(name))
    expect(sound).toMatchObject({ sampleRate, channels, frames })
    expect(details).toMatchObject({ name, sampleRate, channels, frames, streamed: false, truncated: false })
    expect(details.sourceChannels).toBe(name.startsWith('surround') ? 6 : channels)
    expect(details.durationS).toBeCloseTo(frames / sampleRate, 9)
    expect(details.title).toBe(name.startsWith('surround') || name === 'plain.mp3' || name === 'aac.aac' ? undefined : 'Sweep')
  })

  test.each(TYPES)('%s is the same, sample for sample, when it is read from the disk', async (name) => {
    const file = await fixture(name)
    const whole = await decoded(file)
    const streamed = await decoded(file, { memoryBytes: 0 })
    expect(streamed.details).toEqual({ ...whole.details, streamed: true, peaks: streamed.details.peaks })
    expect(streamed.details.peaks.framesPerPeak).toBe(whole.details.peaks.framesPerPeak)
    const [expected, actual] = await Promise.all([samplesOf(whole.sound), samplesOf(streamed.sound)])
    let largest = 0
    expected.forEach((samples, channel) => {
      samples.forEach((sample, frame) => {
        largest = Math.max(largest, Math.abs(sample - (actual[channel]?.[frame] ?? 9)))
      })
    })
    expect(largest).toBeLessThan(1e-6)
    streamed.sound.dispose()
  })
})

test.each(['tagged.mp3', 'plain.mp3', 'vorbis.ogg', 'opus.opus', 'aac.aac', 'flac.flac'])(
  '%s that ends early gives what there is',
  async (name) => {
    const bytes = await fixtureBytes(name)
    const [whole, cut] = [await decoded(await fixture(name)), await decoded(fileOf(name, bytes.slice(0, bytes.length * 0.7)))]
    expect(cut.sound.frames).toBeGreaterThan(0.4 * whole.sound.frames)
    expect(cut.sound.frames).toBeLessThan(0.8 * whole.sound.frames)
    if (name === 'tagged.mp3') expect(cut.details.truncated).toBe(true)
  },
)

describe('a WAV file', () => {
  const left = tone(4800)
  const right = tone(4800, 60, 0.25)

  test.each([
    ['8 bits', { bits: 8 }, 1 / 128],
    ['16 bits', { bits: 16 }, 2 ** -15],
    ['24 bits', { bits: 24 }, 2 ** -23],
    ['32 bits', { bits: 32 }, 2 ** -24],
    ['floats', { bits: 32, float: true }, 2 ** -24],
    ['floats of 64 bits', { bits: 64, float: true }, 2 ** -24],
    ['the extensible format', { bits: 24, extensible: true }, 2 ** -23],
  ] as const)('of %s', async (_, options, step) => {
    const { sound } = await decoded(fileOf('a.wav', wavFile([left, right], { sampleRate: 48_000, ...options })))
    expect(sound).toMatchObject({ sampleRate: 48_000, channels: 2, frames: 4800 })
    const [readLeft = new Float32Array(), readRight = new Float32Array()] = await samplesOf(sound)
    expect(Math.max(...readLeft.map((sample, frame) => Math.abs(sample - (left[frame] ?? 0))))).toBeLessThan(step)
    expect(Math.max(...readRight.map((sample, frame) => Math.abs(sample - (right[frame] ?? 0))))).toBeLessThan(step)
  })

  test.each([8000, 11_025, 22_050, 88_200, 96_000, 176_400, 192_000])('of %i Hz keeps its rate', async (sampleRate) => {
    const { sound } = await decoded(fileOf('a.wav', wavFile([left], { sampleRate })))
    expect(sound).toMatchObject({ sampleRate, channels: 1, frames: 4800 })
  })

  test('of one frame', async () => {
    const { sound, details } = await decoded(fileOf('a.wav', wavFile([[0.5]])))
    expect(await samplesOf(sound)).toEqual([new Float32Array([0.5])])
    expect(details.peaks).toEqual({ framesPerPeak: 256, values: new Float32Array([0.5, 0.5]) })
  })

  test('that ends early gives what there is, and says so', async () => {
    const whole = wavFile([left, right])
    const { sound, details } = await decoded(fileOf('a.wav', whole.slice(0, whole.length - 4001)))
    expect(details).toMatchObject({ frames: 3799, truncated: true })
    expect(sound.frames).toBe(3799)
  })

  test('whose size was never known is read to its end', async () => {
    const { details } = await decoded(fileOf('a.wav', wavFile([left], { declaredBytes: 0xffffffff })))
    expect(details).toMatchObject({ frames: 4800, truncated: false })
  })

  test('is the same when it is read from the disk', async () => {
    const file = fileOf('a.wav', wavFile([tone(100_000), tone(100_000, 33)], { bits: 24 }))
    const [whole, streamed] = [await decoded(file), await decoded(file, { memoryBytes: 0 })]
    expect(streamed.details).toEqual({ ...whole.details, streamed: true })
    expect(await samplesOf(streamed.sound)).toEqual(await samplesOf(whole.sound))
    streamed.sound.dispose()
  })

  test('of 5.1 is mixed down as ITU-R BS.775 says, and never louder than its loudest channel', async () => {
    const one = (channel: number) => Array.from({ length: 6 }, (_, index) => (index === channel ? [1] : [0]))
    const mixed = async (channel: number) => {
      const { sound } = await decoded(fileOf('a.wav', wavFile(one(channel), { bits: 32, float: true })))
      return (await samplesOf(sound)).map(([sample = 9]) => sample)
    }
    const scale = 1 / (1 + Math.SQRT2)
    const expected = [
      [scale, 0],
      [0, scale],
      [scale * Math.SQRT1_2, scale * Math.SQRT1_2],
      [0, 0],
      [scale * Math.SQRT1_2, 0],
      [0, scale * Math.SQRT1_2],
    ]
    for (const [channel, sides] of expected.entries()) {
      const samples = await mixed(channel)
      sides.forEach((side, index) => {
        expect(samples[index]).toBeCloseTo(side, 6)
      })
    }
  })

  test('with floats that are no numbers has silence there', async () => {
    const { sound } = await decoded(
      fileOf('a.wav', wavFile([[0.5, Number.NaN, Number.POSITIVE_INFINITY, -3e38]], { bits: 32, float: true })),
    )
    expect(await samplesOf(sound)).toEqual([new Float32Array([0.5, 0, 0, 0])])
  })
})

describe('an odd file', () => {
  test('with another name, or none of a sound, is taken by its content', async () => {
    expect((await decoded(await renamed('tagged.mp3', 'a.wav'))).details.frames).toBe(52_920)
    expect((await decoded(await renamed('flac.flac', 'a.mp3'))).details.frames).toBe(6615)
    expect((await decoded(await renamed('aac.m4a', 'notes.txt'))).details.frames).toBe(52_920)
  })

  test('with rubbish before its sound is tried', async () => {
    const { blob } = await fixture('tagged.mp3')
    const { sound } = await decoded(fileOf('a.mp3', new Blob([new Uint8Array(6000).fill(0x55), blob])))
    expect(sound.frames).toBeGreaterThan(50_000)
  })

  test.each([
    ['a page called .mp3', fileOf('a.mp3', '<!doctype html><p>Not found</p>'.repeat(200)), 'undecodable'],
    ['a page by its type a sound', fileOf('a', '<!doctype html>', 'audio/mpeg'), 'undecodable'],
    ['a text', fileOf('notes.txt', 'do re mi'), 'invalid-type'],
    ['no name at all', fileOf('', new Uint8Array(1000)), 'invalid-type'],
    ['0 bytes', fileOf('a.mp3', ''), 'no-sound'],
    ['a WAV file of 0 frames', fileOf('a.wav', wavFile([[]])), 'no-sound'],
    ['a WAV file at a rate of 0', fileOf('a.wav', wavFile([[0]], { sampleRate: 0 })), 'undecodable'],
  ] as const)('%s', async (_, file, kind) => {
    expect(await decode(file)).toEqual({ kind })
  })

  test('ALAC cannot be decoded, AIFF and WebM are not taken', async () => {
    expect(await decode(await fixture('alac.m4a'))).toEqual({ kind: 'undecodable' })
    expect(await decode(await fixture('aiff.aiff'))).toEqual({ kind: 'invalid-type' })
    expect(await decode(await fixture('opus.webm'))).toEqual({ kind: 'invalid-type' })
  })

  test.each(['enca', 'drms'])('M4A whose samples are %s is protected', async (protection) => {
    const bytes = await fixtureBytes('aac.m4a')
    const at = new TextDecoder('latin1').decode(bytes).indexOf('mp4a', 0)
    bytes.set(new TextEncoder().encode(protection), at)
    expect(await decode(fileOf('a.m4a', bytes))).toEqual({ kind: 'protected' })
  })
})

test('what needs more of the disk than is free is refused before the work', async () => {
  const file = fileOf('a.wav', wavFile([tone(1000), tone(1000)]))
  const estimate = vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ quota: 10_000, usage: 2001 })
  expect(await decode(file, { memoryBytes: 0 })).toEqual({ kind: 'too-large', neededBytes: 8000, availableBytes: 7999 })
  expect(await scratchFiles()).toEqual([])
  estimate.mockResolvedValue({ quota: 10_000, usage: 2000 })
  const { sound } = await decoded(file, { memoryBytes: 0 })
  estimate.mockRestore()
  sound.dispose()
  await expect.poll(scratchFiles).toEqual([])
})

describe('ending it', () => {
  const long = () => fileOf('a.wav', wavFile([tone(2_000_000)], { bits: 16 }))

  test.each([
    ['in memory', undefined],
    ['on the disk', 0],
  ])('takes less than 100 ms and leaves nothing %s', async (_, memoryBytes) => {
    const file = long()
    const controller = new AbortController()
    const work = decode(file, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
      memoryBytes,
    })
    let abortedAtMs = 0
    controller.signal.addEventListener('abort', () => {
      abortedAtMs = performance.now()
    })
    expect(await work).toEqual({ kind: 'cancelled' })
    expect(performance.now() - abortedAtMs).toBeLessThan(100)
    await expect.poll(scratchFiles, { timeout: 100, interval: 10 }).toEqual([])
  })

  test('before it began, or while the browser decodes', async () => {
    expect(await decode(await fixture('tagged.mp3'), { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' })
    const controller = new AbortController()
    const result = decode(await fixture('tagged.mp3'), { signal: controller.signal, onProgress: () => controller.abort() })
    expect(await result).toEqual({ kind: 'cancelled' })
  })
})

async function renamed(name: string, other: string): Promise<SoundFile> {
  return { name: other, blob: (await fixture(name)).blob }
}

async function scratchFiles(): Promise<string[]> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch', { create: true })
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  return names
}
