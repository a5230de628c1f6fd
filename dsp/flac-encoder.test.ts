import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createArraySource } from './byte-source.ts'
import { encodeFlacPackets, FLAC_PACKET_FRAMES } from './flac-encoder.ts'
import { buildFlacFileHead } from './flac-file.ts'
import { type FlacFormat, scanFlac } from './flac-packets.ts'

const createFormat = (channelSamples: readonly Int32Array[], bitsPerSample: 16 | 24, sampleRate = 44_100): FlacFormat => ({
  sampleRate,
  bitsPerSample,
  channels: channelSamples.length,
  frames: channelSamples[0]?.length ?? 0,
})

function encodeFlacFile(channels: readonly Int32Array[], format: FlacFormat): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([buildFlacFileHead(format, { title: 'T' }), encodeFlacPackets(channels, format, 0)]))
}

/** Decodes a file with ffmpeg, to interleaved samples of 32 bits. */
function decodeFlac(fileBytes: Uint8Array, bitsPerSample: number): Int32Array {
  const flacOptions = ['-v', 'error', '-xerror', '-err_detect', 'crccheck+explode', '-f', 'flac', '-i', '-', '-f', 's32le', '-']
  const { stdout, stderr } = spawnSync('ffmpeg', flacOptions, { input: fileBytes, maxBuffer: 2 ** 26 })
  expect(stderr.toString()).toBe('')
  return new Int32Array(stdout.buffer, stdout.byteOffset, stdout.length / 4).map((sample) => sample >> (32 - bitsPerSample))
}

const interleaveChannels = (channelSamples: readonly Int32Array[]) =>
  Int32Array.from({ length: channelSamples.length * (channelSamples[0]?.length ?? 0) }, (_, index) => {
    return channelSamples[index % channelSamples.length]?.[Math.floor(index / channelSamples.length)] ?? 0
  })

/** Functions that return a sample of a test signal, from the full scale and the index of the frame. */
const SIGNALS: readonly ((limit: number, frame: number) => number)[] = [
  () => 0,
  (limit) => limit - 1,
  (limit, frame) => (frame % 2 === 0 ? limit - 1 : -limit),
  (limit, frame) => Math.round((limit - 1) * Math.sin(frame / 30)),
  (limit, frame) => Math.floor(limit * (2 * ((Math.imul(frame + 1, 0x9e3779b1) >>> 0) / 2 ** 32) - 1)),
  (_, frame) => (frame % 7 === 0 ? 1 : -1),
  (limit, frame) => (frame === 5000 ? -limit : 0),
  (limit, frame) => ((frame * frame) % (2 * limit)) - limit,
]

it.each([
  { bits: 16, count: 1 },
  { bits: 24, count: 1 },
  { bits: 16, count: 2 },
  { bits: 24, count: 2 },
] as const)('FLAC: any signals of $count channels and $bits bits are decoded to the same samples', ({ bits, count }) => {
  const anyPacketSignals = fc.array(fc.constantFrom(...SIGNALS), { minLength: count, maxLength: count })
  const anyLastFrameCount = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 21, max: FLAC_PACKET_FRAMES }))
  fc.assert(
    fc.property(fc.array(anyPacketSignals, { minLength: 8, maxLength: 12 }), anyLastFrameCount, (packetSignals, lastPacketFrameCount) => {
      const frameCount = (packetSignals.length - 1) * FLAC_PACKET_FRAMES + lastPacketFrameCount
      const channelSamples = Array.from({ length: count }, (_, channelIndex) =>
        Int32Array.from({ length: frameCount }, (__, frame) => {
          return packetSignals[Math.floor(frame / FLAC_PACKET_FRAMES)]?.[channelIndex]?.(2 ** (bits - 1), frame) ?? 0
        }),
      )
      const [decodedSamples, expectedSamples] = [
        decodeFlac(encodeFlacFile(channelSamples, createFormat(channelSamples, bits)), bits),
        interleaveChannels(channelSamples),
      ]
      expect(decodedSamples).toHaveLength(expectedSamples.length)
      expect(decodedSamples.findIndex((sample, index) => sample !== expectedSamples[index])).toBe(-1)
    }),
    { numRuns: 2 },
  )
})

it('FLAC: parts that are encoded separately have the same bytes as in the whole sound', () => {
  const samples = Int32Array.from({ length: 5 * FLAC_PACKET_FRAMES - 100 }, (_, frame) => Math.round(20_000 * Math.sin(frame / 40)))
  const format = createFormat([samples], 16)
  const split = 2 * FLAC_PACKET_FRAMES
  const parts = [samples.subarray(0, split), samples.subarray(split)].map((part, index) => encodeFlacPackets([part], format, index * split))
  expect(Buffer.concat(parts)).toEqual(Buffer.from(encodeFlacPackets([samples], format, 0)))
})

it('FLAC: packets far into a long sound have packet numbers of several bytes', async () => {
  const samples = new Int32Array(FLAC_PACKET_FRAMES)
  const format = { ...createFormat([samples], 16), frames: 2 ** 33 }
  for (const packetNumber of [127, 128, 2047, 2048, 65_536, 2 ** 21 - 1, 2 ** 26, 2 ** 30]) {
    const packet = encodeFlacPackets([samples], format, packetNumber * FLAC_PACKET_FRAMES)
    const [run] = await scanFlac(createArraySource(Uint8Array.from(Buffer.concat([buildFlacFileHead(format, {}), packet]))))
    expect(run).toMatchObject({ frames: FLAC_PACKET_FRAMES, hasGaps: false })
  }
})

it('FLAC: music-like sound is compressed to half of its size, silence to almost nothing', () => {
  const toneSamples = Int32Array.from({ length: 20 * FLAC_PACKET_FRAMES }, (_, frame) =>
    Math.round(8000 * Math.sin(frame / 40) + 3000 * Math.sin(frame / 7.3) + 30 * ((Math.imul(frame, 0x9e3779b1) >>> 0) / 2 ** 32 - 0.5)),
  )
  expect(encodeFlacPackets([toneSamples], createFormat([toneSamples], 16), 0).length).toBeLessThan(0.5 * 2 * toneSamples.length)
  expect(encodeFlacPackets([toneSamples.fill(0)], createFormat([toneSamples], 16), 0).length).toBeLessThan(20 * 20)
})
