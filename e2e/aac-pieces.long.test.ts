import { execFileSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { createPieceCutter, createPieceJoiner, findSeam, joinPackets, splitPackets } from '../client/engine/video/aac-pieces.ts'
import { AAC_PACKET_FRAMES, countAacPackets, VIDEO_SAMPLE_RATE } from '../client/engine/video/video-timing.ts'
import { type AacStream, openAacStream } from '../client/engine/workers/aac-stream.ts'
import type { AacPackets } from '../client/engine/workers/calls.ts'
import { hashIndex } from '../dsp/hash.ts'
import { installPackages, isOnPath } from '../scripts/install.mjs'

const PACKETS_PER_PIECE = 256
const FRAME_COUNT = 7 * PACKETS_PER_PIECE * AAC_PACKET_FRAMES + 777
const ENCODER_OPTIONS = { sampleRate: VIDEO_SAMPLE_RATE, bitsPerSecond: 384_000 }

beforeAll(() => {
  if (!isOnPath('ffmpeg')) installPackages('ffmpeg')
})

/** Returns a sound of two channels, interleaved. */
function createSound(sampleAt: (frame: number, channel: number) => number): Float32Array {
  const sound = new Float32Array(2 * FRAME_COUNT)
  for (let frame = 0; frame < FRAME_COUNT; frame++) for (const channel of [0, 1]) sound[2 * frame + channel] = sampleAt(frame, channel)
  return sound
}

const computeNoiseAt = (frame: number, channel: number) => hashIndex(2 * frame + channel) / 2 ** 31 - 1
/** The distance in frames from the nearest seam, at which two pieces are joined: negative before it. */
const countFramesFromSeam = (frame: number) =>
  ((frame + 1.5 * PACKETS_PER_PIECE * AAC_PACKET_FRAMES) % (PACKETS_PER_PIECE * AAC_PACKET_FRAMES)) -
  0.5 * PACKETS_PER_PIECE * AAC_PACKET_FRAMES

const SOUND_FUNCTIONS: Readonly<Record<string, (frame: number, channel: number) => number>> = {
  tones: (frame, channel) => 0.4 * Math.sin(frame * (0.03 + 0.01 * channel)) + 0.2 * Math.sin(frame * 0.2113),
  silence: () => 0,
  'beats and noise': (frame, channel) =>
    0.4 * Math.exp(-(frame % 22_000) / 6000) * Math.sin(frame * (0.02 + 0.01 * channel)) + 0.03 * computeNoiseAt(frame, channel),
  // The position of the clicks around a seam, at which two pieces are joined, and whether one or both channels have them, differs from seam to seam.
  'clicks around the seams': (frameIndex, channelIndex) => {
    const pieceIndex = Math.round(frameIndex / (PACKETS_PER_PIECE * AAC_PACKET_FRAMES))
    const seamDistance = countFramesFromSeam(frameIndex) + 6000 - 640 * pieceIndex
    return seamDistance >= 0 && seamDistance < 40 && pieceIndex % 3 !== channelIndex
      ? 0.8 * computeNoiseAt(frameIndex, channelIndex)
      : 0.05 * Math.sin(frameIndex * 0.05)
  },
  'clicks everywhere': (frame, channel) =>
    frame % (1500 + 700 * channel) < 30 ? 0.7 * computeNoiseAt(frame, channel) : 0.02 * Math.sin(frame * 0.07),
}

async function encodeWhole(soundSamples: Float32Array): Promise<Uint8Array[]> {
  const packetCount = countAacPackets(soundSamples.length / 2)
  const samples = new Float32Array((packetCount + 1) * 2 * AAC_PACKET_FRAMES)
  samples.set(soundSamples)
  return (await openAacStream(ENCODER_OPTIONS)).encode({ samples, firstPacket: 0, packets: packetCount })
}

async function encodePieces(soundSamples: Float32Array, streamCount: number): Promise<{ pieces: AacPackets[]; packets: Uint8Array[] }> {
  const aacStreams = await Promise.all(Array.from({ length: streamCount }, () => openAacStream(ENCODER_OPTIONS)))
  const encodedPieces: AacPackets[] = []
  const pieceCutter = createPieceCutter(async (request) => {
    const stream: AacStream | undefined = aacStreams[encodedPieces.length % streamCount]
    encodedPieces.push(joinPackets(stream?.encode(request) ?? []))
  })
  // The sound arrives in chunks whose length is unrelated to that of the pieces.
  for (let start = 0; start < soundSamples.length; start += 200_002) await pieceCutter.add(soundSamples.subarray(start, start + 200_002))
  await pieceCutter.finish()
  const joiner = createPieceJoiner()
  return { pieces: encodedPieces, packets: [...encodedPieces.map((piece) => joiner.join(piece)), joiner.finish()].flatMap(splitPackets) }
}

/** Decodes packets with ffmpeg, which removes no samples of a stream with ADTS headers. */
function decodePackets(aacPackets: readonly Uint8Array[]): Float32Array {
  const adtsBytes = aacPackets.flatMap((aacPacket) => {
    const frameLength = aacPacket.length + 7
    // AAC-LC, 48 kHz, two channels (ISO/IEC 14496-3, 1.A.2).
    const header = [0xff, 0xf1, 0x4c, 0x80 | (frameLength >> 11), (frameLength >> 3) & 0xff, ((frameLength & 7) << 5) | 0x1f, 0xfc]
    return [Uint8Array.from(header), aacPacket]
  })
  const options = ['-v', 'error', '-xerror', '-f', 'aac', '-i', '-', '-f', 'f32le', '-']
  const { buffer, byteOffset, byteLength } = execFileSync('ffmpeg', options, { input: Buffer.concat(adtsBytes), maxBuffer: 2 ** 30 })
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

/**
 * Returns the error of each packet in dB of full scale, at least -90: the power of the difference between the sound and the decoded sound, which is
 * one packet late.
 */
function measureErrors(soundSamples: Float32Array, decodedSound: Float32Array): number[] {
  const samplesPerPacket = 2 * AAC_PACKET_FRAMES
  return Array.from({ length: Math.floor(soundSamples.length / samplesPerPacket) }, (_, packetIndex) => {
    let signalPower = 0
    for (let n = packetIndex * samplesPerPacket; n < (packetIndex + 1) * samplesPerPacket; n++)
      signalPower += ((decodedSound[n + samplesPerPacket] ?? 0) - (soundSamples[n] ?? 0)) ** 2 / samplesPerPacket
    return Math.max(-90, 10 * Math.log10(signalPower + 1e-12))
  })
}

/**
 * Returns the indexes of faulty packets. The error of such a packet is more than 6 dB above both -66 dB and the largest error that encoding without a
 * division into pieces (`undividedErrorsDb`) causes within five seconds of the packet.
 */
function findFaults(undividedErrorsDb: readonly number[], pieceErrors: readonly number[]): number[] {
  return pieceErrors.flatMap((error, packetIndex) => {
    const nearby = Math.max(...undividedErrorsDb.slice(Math.max(0, packetIndex - 240), packetIndex + 240))
    return error > Math.max(nearby, -66) + 6 ? [packetIndex] : []
  })
}

for (const [soundName, sampleAt] of Object.entries(SOUND_FUNCTIONS))
  it(`AAC pieces: ${soundName}, encoded in pieces, differ from the original sound no more than if they were encoded without a division into pieces`, async () => {
    const soundSamples = createSound(sampleAt)
    const wholePackets = await encodeWhole(soundSamples)
    const undividedErrorsDb = measureErrors(soundSamples, decodePackets(wholePackets))
    for (const streamCount of [1, 3]) {
      const { packets } = await encodePieces(soundSamples, streamCount)
      expect(packets).toHaveLength(wholePackets.length)
      const decodedSound = decodePackets(packets)
      expect(decodedSound).toHaveLength(2 * AAC_PACKET_FRAMES * wholePackets.length)
      const errors = measureErrors(soundSamples, decodedSound)
      expect(findFaults(undividedErrorsDb, errors)).toEqual([])
    }
  })

it('AAC pieces: the comparison finds a lost packet, a doubled packet, and a join of packets with different windows', async () => {
  const soundSamples = createSound(SOUND_FUNCTIONS['clicks everywhere'] ?? (() => 0))
  const undividedErrorsDb = measureErrors(soundSamples, decodePackets(await encodeWhole(soundSamples)))
  const { packets } = await encodePieces(soundSamples, 2)
  const findFaultsWith = (changed: readonly Uint8Array[]) =>
    findFaults(undividedErrorsDb, measureErrors(soundSamples, decodePackets(changed)))
  const cutPacketIndex = 4 * PACKETS_PER_PIECE
  expect(findFaultsWith([...packets.slice(0, cutPacketIndex), ...packets.slice(cutPacketIndex + 1)]).length).toBeGreaterThan(0)
  expect(findFaultsWith([...packets.slice(0, cutPacketIndex), ...packets.slice(cutPacketIndex - 1)]).length).toBeGreaterThan(0)
  const isShortBlock = (packet: Uint8Array) => ((packet[0] ?? 0) & 1) === 1 && (((packet[1] ?? 0) >> 5) & 3) === 2
  const shortPacketIndex = packets.findIndex((packet, index) => index > cutPacketIndex && isShortBlock(packet))
  const longPacket = packets.findIndex((packet, index) => index > cutPacketIndex && !isShortBlock(packet))
  const wrongPackets = packets.with(shortPacketIndex, packets[longPacket] ?? new Uint8Array())
  expect(findFaultsWith(wrongPackets).length).toBeGreaterThan(0)
})

it('findSeam: two pieces are joined at the last packet whose window is equal in both and common to both channels, else at the last equal one', () => {
  const longWindowPacket = Uint8Array.of(0x21, 0x10, 0)
  const shortWindowPacket = Uint8Array.of(0x21, 0x50, 0)
  const separateWindowsPacket = Uint8Array.of(0x20, 0, 0)
  expect(
    findSeam(
      [longWindowPacket, shortWindowPacket, longWindowPacket, longWindowPacket],
      [longWindowPacket, shortWindowPacket, longWindowPacket, longWindowPacket],
    ),
  ).toBe(4)
  expect(
    findSeam(
      [longWindowPacket, shortWindowPacket, longWindowPacket, longWindowPacket],
      [longWindowPacket, shortWindowPacket, longWindowPacket, shortWindowPacket],
    ),
  ).toBe(3)
  expect(
    findSeam(
      [longWindowPacket, shortWindowPacket, longWindowPacket, separateWindowsPacket],
      [longWindowPacket, shortWindowPacket, shortWindowPacket, separateWindowsPacket],
    ),
  ).toBe(2)
  expect(
    findSeam(
      [separateWindowsPacket, separateWindowsPacket, longWindowPacket, longWindowPacket],
      [separateWindowsPacket, separateWindowsPacket, shortWindowPacket, shortWindowPacket],
    ),
  ).toBe(2)
  expect(findSeam([longWindowPacket, longWindowPacket], [shortWindowPacket, shortWindowPacket])).toBe(2)
})
