import { describe, expect, test } from 'vitest'
import { decodeParts } from './decode-parts.ts'
import { mp3Parts } from './mp3-parts.ts'
import { type Mp3FileOptions, mp3File, withInfo, withTags } from './testing/mp3-file.ts'

async function decodedWhole(bytes: Uint8Array<ArrayBuffer>, sampleRate = 44_100): Promise<Float32Array[]> {
  const buffer = await new OfflineAudioContext({ length: 1, sampleRate }).decodeAudioData(bytes.slice().buffer)
  return Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel))
}

const partsOf = (bytes: Uint8Array<ArrayBuffer>, partSeconds?: number) => {
  const parts = mp3Parts(bytes, partSeconds)
  if (parts === undefined) throw new Error('it has no parts')
  return parts
}

/** How many samples differ, where both have as many. */
function differences(some: readonly Float32Array[], others: readonly Float32Array[]): number {
  expect(some.map(({ length }) => length)).toEqual(others.map(({ length }) => length))
  let count = 0
  some.forEach((samples, channel) => {
    samples.forEach((sample, frame) => {
      if (sample !== others[channel]?.[frame]) count++
    })
  })
  return count
}

const packetsIn = (bytes: Uint8Array<ArrayBuffer>, seconds = 0.2) => {
  const { frames, packetFrames } = partsOf(bytes, seconds)
  return frames / packetFrames
}

const KINDS: readonly (readonly [string, Mp3FileOptions])[] = [
  ['320 kbps', { kbps: 320 }],
  ['128 kbps', {}],
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

describe.each(KINDS)('MP3 of %s', (_, options) => {
  test('is the same in parts, sample for sample, with and without what says its length', async () => {
    const packets = await mp3File(options)
    for (const bytes of [
      packets,
      withTags(packets),
      withInfo(packets, packetsIn(packets)),
      withTags(withInfo(packets, packetsIn(packets))),
    ]) {
      const parts = partsOf(bytes, 0.9)
      expect(parts.parts.length).toBeGreaterThan(9)
      const whole = await decodedWhole(bytes, parts.sampleRate)
      const joined = whole.map((samples) => new Float32Array(samples.length))
      let frames = 0
      for await (const channels of decodeParts(bytes, parts)) {
        channels.forEach((samples, channel) => {
          joined[channel]?.set(samples, frames)
        })
        frames += channels[0]?.length ?? 0
      }
      expect(frames).toBe(parts.frames)
      expect(differences(joined, whole)).toBe(0)
    }
  })
})
