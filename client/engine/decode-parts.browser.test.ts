import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { decode } from './decode.ts'
import { decodeParts } from './decode-parts.ts'
import { type Mp3Parts, mp3Parts } from './mp3-parts.ts'
import { createPeakMeter } from './peaks.ts'
import { fileOf } from './testing/fixtures.ts'
import { joined, type Mp3FileOptions, mp3File, withInfo, withTags } from './testing/mp3-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What is to come out. */
async function decodedWhole(bytes: Bytes, sampleRate = 44_100): Promise<Float32Array[]> {
  const buffer = await new OfflineAudioContext({ length: 1, sampleRate }).decodeAudioData(bytes.slice().buffer)
  return Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel))
}

async function decodedInParts(bytes: Bytes, parts: Mp3Parts): Promise<Float32Array[]> {
  const whole = Array.from({ length: parts.channels }, () => new Float32Array(parts.frames))
  let frames = 0
  for await (const channels of decodeParts(bytes, parts)) {
    channels.forEach((samples, channel) => {
      whole[channel]?.set(samples, frames)
    })
    frames += channels[0]?.length ?? 0
  }
  expect(frames).toBe(parts.frames)
  return whole
}

function partsOf(bytes: Bytes, partSeconds: number): Mp3Parts {
  const parts = mp3Parts(bytes, partSeconds)
  if (parts === undefined) throw new Error('it has no parts')
  return parts
}

function expectSame(actual: readonly Float32Array[], expected: readonly Float32Array[]) {
  expect(actual.map(({ length }) => length)).toEqual(expected.map(({ length }) => length))
  const different = actual.map((samples, channel) => samples.findIndex((sample, frame) => sample !== expected[channel]?.[frame]))
  expect(different).toEqual(actual.map(() => -1))
}

const KINDS: readonly (readonly [string, Mp3FileOptions])[] = [
  ['320 kbps', { kbps: 320 }],
  ['128 kbps, joint stereo', {}],
  ['32 kbps, mono', { kbps: 32, channels: 1 }],
  ['128 kbps, 48 kHz', { sampleRate: 48_000 }],
  ['a variable bit rate', { vbrQuality: 2 }],
  ['a low variable bit rate, mono', { vbrQuality: 9, channels: 1 }],
  ['MPEG-2, 8 kbps, mono, 16 kHz', { kbps: 8, sampleRate: 16_000, channels: 1 }],
  ['MPEG-2, 8 kbps, 24 kHz', { kbps: 8, sampleRate: 24_000 }],
  ['MPEG-2, 16 kbps, 22.05 kHz', { kbps: 16, sampleRate: 22_050 }],
  ['MPEG-2, 32 kbps, 22.05 kHz', { kbps: 32, sampleRate: 22_050 }],
  ['MPEG-2, a variable bit rate, 24 kHz', { vbrQuality: 7, sampleRate: 24_000 }],
  ['MPEG-2.5, 8 kbps, 8 kHz', { kbps: 8, sampleRate: 8000 }],
]

test.each(KINDS)('MP3 of %s is the same in parts, sample for sample', async (_, options) => {
  const packets = await mp3File(options)
  const { frames, packetFrames } = partsOf(packets, 0.9)
  const informed = withInfo(packets, frames / packetFrames)
  for (const bytes of [packets, withTags(packets), informed, withTags(informed)]) {
    const parts = partsOf(bytes, 0.9)
    expect(parts.parts.length).toBeGreaterThan(9)
    expectSame(await decodedInParts(bytes, parts), await decodedWhole(bytes, parts.sampleRate))
  }
})

describe('a long MP3 file', () => {
  let packets: Bytes
  let count = 0
  beforeAll(async () => {
    packets = await mp3File({ seconds: 20 })
    const { frames, packetFrames } = partsOf(packets, 6)
    count = frames / packetFrames
  })
  afterEach(() => vi.restoreAllMocks())

  /** What the browser's decoder is given: one whole file, or parts. */
  const decoding = () => vi.spyOn(OfflineAudioContext.prototype, 'decodeAudioData')

  async function expectWhole(bytes: Bytes) {
    const expected = await decodedWhole(bytes)
    const told: (number | undefined)[] = []
    const result = await decode(fileOf('a.mp3', bytes), { onProgress: (progress) => told.push(progress) })
    if (result.kind !== 'decoded') throw new Error(result.kind)
    const samples = expected.map(({ length }) => new Float32Array(length))
    expect(result.sound.frames).toBe(samples[0]?.length)
    await result.sound.read(0, samples)
    expectSame(samples, expected)
    const meter = createPeakMeter()
    meter.add(expected)
    expect(result.details.peaks).toEqual(meter.peaks())
    return { told, details: result.details }
  }

  test('is decoded in parts, with what it took of the way', async () => {
    const spy = decoding()
    const { told, details } = await expectWhole(withTags(withInfo(packets, count)))
    expect(spy).toHaveBeenCalledTimes(1 + 3)
    expect(told).toHaveLength(4)
    expect(told).toEqual([0, expect.closeTo(1 / 3, 1), expect.closeTo(2 / 3, 1), 1])
    expect(details).toMatchObject({ sampleRate: 44_100, sourceChannels: 2, channels: 2, streamed: false, truncated: false })
  })

  test('that is too long for memory is not begun in it', async () => {
    const spy = decoding()
    const result = await decode(fileOf('a.mp3', packets), { memoryBytes: 10 * packets.length })
    if (result.kind !== 'decoded') throw new Error(result.kind)
    expect(result.details.streamed).toBe(true)
    expect(spy).not.toHaveBeenCalled()
    result.sound.dispose()
  })

  test.each([
    ['that is cut', (bytes: Bytes) => bytes.slice(0, 0.8 * bytes.length)],
    ['that has lost a piece', (bytes: Bytes) => bytes.fill(0, 0.5 * bytes.length, 0.5 * bytes.length + 5000)],
    ['that says another length', (bytes: Bytes) => withInfo(bytes, count + 100)],
  ])('%s is decoded as a whole', async (_, damage) => {
    const spy = decoding()
    await expectWhole(damage(packets.slice()))
    expect(spy).toHaveBeenCalledTimes(2)
  })

  test('whose parts have another length than its first packet says is decoded as a whole then', async () => {
    const bytes = withInfo(packets, count)
    // Of this program Chromium's decoder takes no delay away.
    bytes.set(new TextEncoder().encode('GOGO3'), new TextDecoder('latin1').decode(bytes).indexOf('LAME3'))
    const spy = decoding()
    const { told } = await expectWhole(bytes)
    expect(spy.mock.calls.length).toBeGreaterThan(2)
    expect(told).toEqual([0, undefined])
  })

  test('with other bytes here and there in its packets is what the whole is', async () => {
    for (let step = 3; step < 3000; step *= 3) {
      const bytes = packets.slice()
      for (let packet = 5; packet < count; packet += step) bytes[417 * packet + 40 + (packet % 300)] = packet % 256
      await expectWhole(bytes)
    }
  })

  test('in which a part would not go on where the last one ended is not joined', async () => {
    const whole = partsOf(packets, 6)
    const moved = whole.parts.map((part, index) =>
      index === 1 ? { ...part, skipFrames: part.skipFrames + 1, keepFrames: part.keepFrames - 1 } : part,
    )
    await expect(decodedInParts(packets, { ...whole, parts: moved })).rejects.toThrow('does not go on')
  })

  test('is given up within 100 ms, and the rest of it is left', async () => {
    const controller = new AbortController()
    const spy = decoding()
    let abortedAtMs = 0
    const result = await decode(fileOf('a.mp3', joined(packets, packets, packets, packets)), {
      signal: controller.signal,
      onProgress(progress) {
        if (progress === 0) return
        abortedAtMs = performance.now()
        controller.abort()
      },
    })
    expect(result).toEqual({ kind: 'cancelled' })
    expect(performance.now() - abortedAtMs).toBeLessThan(100)
    await new Promise((resolve) => setTimeout(resolve, 500))
    // Those that were under way: as many as the browser has cores, of 13.
    expect(spy.mock.calls.length).toBeLessThan(8)
  })
})
