import { execFileSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { createPieceCutter, createPieceJoiner, findSeam, joinPackets, splitPackets } from '../client/engine/video/aac-pieces.ts'
import { AAC_PACKET_FRAMES, countAacPackets, VIDEO_SAMPLE_RATE } from '../client/engine/video/video-timing.ts'
import { type AacStream, openAacStream } from '../client/engine/workers/aac-stream.ts'
import type { AacPackets } from '../client/engine/workers/calls.ts'
import { hashIndex } from '../dsp/hash.ts'
import { aptInstall, isOnPath } from '../scripts/install.mjs'

const PIECE_PACKETS = 256
const FRAME_COUNT = 7 * PIECE_PACKETS * AAC_PACKET_FRAMES + 777
const ENCODER_OPTIONS = { sampleRate: VIDEO_SAMPLE_RATE, bitsPerSecond: 384_000 }

beforeAll(() => {
  if (!isOnPath('ffmpeg')) aptInstall('ffmpeg')
})

/** Returns a sound of two channels, interleaved. */
function createSound(sampleAt: (frame: number, channel: number) => number): Float32Array {
  const sound = new Float32Array(2 * FRAME_COUNT)
  for (let frame = 0; frame < FRAME_COUNT; frame++) for (const channel of [0, 1]) sound[2 * frame + channel] = sampleAt(frame, channel)
  return sound
}

const noiseAt = (frame: number, channel: number) => hashIndex(2 * frame + channel) / 2 ** 31 - 1
/** The distance in frames from the nearest seam: negative before it. */
const fromSeam = (frame: number) =>
  ((frame + 1.5 * PIECE_PACKETS * AAC_PACKET_FRAMES) % (PIECE_PACKETS * AAC_PACKET_FRAMES)) - 0.5 * PIECE_PACKETS * AAC_PACKET_FRAMES

const SOUND_FUNCTIONS: Readonly<Record<string, (frame: number, channel: number) => number>> = {
  tones: (frame, channel) => 0.4 * Math.sin(frame * (0.03 + 0.01 * channel)) + 0.2 * Math.sin(frame * 0.2113),
  silence: () => 0,
  'beats and noise': (frame, channel) =>
    0.4 * Math.exp(-(frame % 22_000) / 6000) * Math.sin(frame * (0.02 + 0.01 * channel)) + 0.03 * noiseAt(frame, channel),
  // The position of the clicks around a seam, and whether one or both channels have them, differs from seam to seam.
  'clicks around the seams': (frame, channel) => {
    const piece = Math.round(frame / (PIECE_PACKETS * AAC_PACKET_FRAMES))
    const distance = fromSeam(frame) + 6000 - 640 * piece
    return distance >= 0 && distance < 40 && piece % 3 !== channel ? 0.8 * noiseAt(frame, channel) : 0.05 * Math.sin(frame * 0.05)
  },
  'clicks everywhere': (frame, channel) =>
    frame % (1500 + 700 * channel) < 30 ? 0.7 * noiseAt(frame, channel) : 0.02 * Math.sin(frame * 0.07),
}

async function encodeWhole(sound: Float32Array): Promise<Uint8Array[]> {
  const packetCount = countAacPackets(sound.length / 2)
  const samples = new Float32Array((packetCount + 1) * 2 * AAC_PACKET_FRAMES)
  samples.set(sound)
  return (await openAacStream(ENCODER_OPTIONS)).encode({ samples, firstPacket: 0, packets: packetCount })
}

async function encodePieces(sound: Float32Array, streamCount: number): Promise<{ pieces: AacPackets[]; packets: Uint8Array[] }> {
  const streams = await Promise.all(Array.from({ length: streamCount }, () => openAacStream(ENCODER_OPTIONS)))
  const pieces: AacPackets[] = []
  const cutter = createPieceCutter(async (request) => {
    const stream: AacStream | undefined = streams[pieces.length % streamCount]
    pieces.push(joinPackets(stream?.encode(request) ?? []))
  })
  // The sound arrives in chunks whose length is unrelated to that of the pieces.
  for (let start = 0; start < sound.length; start += 200_002) await cutter.add(sound.subarray(start, start + 200_002))
  await cutter.finish()
  const joiner = createPieceJoiner()
  return { pieces, packets: [...pieces.map((piece) => joiner.join(piece)), joiner.finish()].flatMap(splitPackets) }
}

/** Decodes packets with ffmpeg, which removes no samples of a stream with ADTS headers. */
function decode(packets: readonly Uint8Array[]): Float32Array {
  const stream = packets.flatMap((packet) => {
    const length = packet.length + 7
    // AAC-LC, 48 kHz, two channels (ISO/IEC 14496-3, 1.A.2).
    const header = [0xff, 0xf1, 0x4c, 0x80 | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc]
    return [Uint8Array.from(header), packet]
  })
  const options = ['-v', 'error', '-xerror', '-f', 'aac', '-i', '-', '-f', 'f32le', '-']
  const { buffer, byteOffset, byteLength } = execFileSync('ffmpeg', options, { input: Buffer.concat(stream), maxBuffer: 2 ** 30 })
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

/**
 * Returns the error of each packet in dB of full scale, at least -90: the power of the difference between the sound and the decoded sound, which is
 * one packet late.
 */
function errorsOf(sound: Float32Array, decodedSound: Float32Array): number[] {
  const step = 2 * AAC_PACKET_FRAMES
  return Array.from({ length: Math.floor(sound.length / step) }, (_, packet) => {
    let power = 0
    for (let n = packet * step; n < (packet + 1) * step; n++) power += ((decodedSound[n + step] ?? 0) - (sound[n] ?? 0)) ** 2 / step
    return Math.max(-90, 10 * Math.log10(power + 1e-12))
  })
}

/**
 * Returns the indexes of faulty packets. The error of such a packet is more than 6 dB above both -66 dB and the largest error that encoding without a
 * division into pieces (`wholeErrors`) causes within five seconds of the packet.
 */
function faultsOf(wholeErrors: readonly number[], pieceErrors: readonly number[]): number[] {
  return pieceErrors.flatMap((error, packet) => {
    const nearby = Math.max(...wholeErrors.slice(Math.max(0, packet - 240), packet + 240))
    return error > Math.max(nearby, -66) + 6 ? [packet] : []
  })
}

for (const [name, sampleAt] of Object.entries(SOUND_FUNCTIONS))
  it(`AAC pieces: ${name}, encoded in pieces, differ from the original sound no more than if they were encoded without a division into pieces`, async () => {
    const sound = createSound(sampleAt)
    const wholePackets = await encodeWhole(sound)
    const wholeErrors = errorsOf(sound, decode(wholePackets))
    for (const streamCount of [1, 3]) {
      const { packets } = await encodePieces(sound, streamCount)
      expect(packets).toHaveLength(wholePackets.length)
      const decodedSound = decode(packets)
      expect(decodedSound).toHaveLength(2 * AAC_PACKET_FRAMES * wholePackets.length)
      const errors = errorsOf(sound, decodedSound)
      expect(faultsOf(wholeErrors, errors)).toEqual([])
    }
  })

it('AAC pieces: a packet that is lost, doubled, or joined at a window that differs is found by the comparison', async () => {
  const sound = createSound(SOUND_FUNCTIONS['clicks everywhere'] ?? (() => 0))
  const wholeErrors = errorsOf(sound, decode(await encodeWhole(sound)))
  const { packets } = await encodePieces(sound, 2)
  const faultsWith = (changed: readonly Uint8Array[]) => faultsOf(wholeErrors, errorsOf(sound, decode(changed)))
  const cutPacket = 4 * PIECE_PACKETS
  expect(faultsWith([...packets.slice(0, cutPacket), ...packets.slice(cutPacket + 1)]).length).toBeGreaterThan(0)
  expect(faultsWith([...packets.slice(0, cutPacket), ...packets.slice(cutPacket - 1)]).length).toBeGreaterThan(0)
  const isShort = (packet: Uint8Array) => ((packet[0] ?? 0) & 1) === 1 && (((packet[1] ?? 0) >> 5) & 3) === 2
  const shortPacket = packets.findIndex((packet, index) => index > cutPacket && isShort(packet))
  const longPacket = packets.findIndex((packet, index) => index > cutPacket && !isShort(packet))
  const wrongPackets = packets.with(shortPacket, packets[longPacket] ?? new Uint8Array())
  expect(faultsWith(wrongPackets).length).toBeGreaterThan(0)
})

it('findSeam: the last packet whose window is equal in both pieces and common to both channels is the seam, else the last equal one', () => {
  const longWindow = Uint8Array.of(0x21, 0x10, 0)
  const shortWindow = Uint8Array.of(0x21, 0x50, 0)
  const separateWindows = Uint8Array.of(0x20, 0, 0)
  expect(findSeam([longWindow, shortWindow, longWindow, longWindow], [longWindow, shortWindow, longWindow, longWindow])).toBe(4)
  expect(findSeam([longWindow, shortWindow, longWindow, longWindow], [longWindow, shortWindow, longWindow, shortWindow])).toBe(3)
  expect(findSeam([longWindow, shortWindow, longWindow, separateWindows], [longWindow, shortWindow, shortWindow, separateWindows])).toBe(2)
  expect(
    findSeam([separateWindows, separateWindows, longWindow, longWindow], [separateWindows, separateWindows, shortWindow, shortWindow]),
  ).toBe(2)
  expect(findSeam([longWindow, longWindow], [shortWindow, shortWindow])).toBe(2)
})
