import { createMp3Encoder } from 'wasm-media-encoders'
import { joinBytes as joinArrays } from '../../../dsp/byte-source.ts'
import { synthesizeDrumLoop } from './drum-loop.ts'

export interface Mp3FileOptions {
  readonly seconds?: number
  /** The sampling rate is set, because LAME would otherwise choose one that fits the bit rate. */
  readonly sampleRate?: 8000 | 16_000 | 22_050 | 24_000 | 44_100 | 48_000
  readonly channels?: 1 | 2
  /** The constant bit rate. It applies only without `vbrQuality`. */
  readonly kbps?: 8 | 16 | 24 | 32 | 64 | 128 | 320
  /** The quality of a variable bit rate, from 0 (best) to 9. */
  readonly vbrQuality?: number
  /** The factor by which the drum loop is multiplied. By default, the peaks of the loop are at full scale. */
  readonly gain?: number
}

/** Options for each version of MPEG. Together they include one and two channels, and low and high bit rates. */
export const mp3FileKinds: readonly (readonly [string, Mp3FileOptions])[] = [
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

/** Encodes a drum loop with LAME. The right channel has a different loop from the left one. The file contains only packets, no tags. */
export async function encodeMp3File({
  seconds = 10,
  sampleRate = 44_100,
  channels = 2,
  kbps = 128,
  vbrQuality,
  gain = 1,
}: Mp3FileOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const mp3Encoder = await createMp3Encoder()
  mp3Encoder.configure({
    sampleRate,
    outputSampleRate: sampleRate,
    channels,
    ...(vbrQuality === undefined ? { bitrate: kbps } : { vbrQuality }),
  })
  const samplesOfChannels = [synthesizeDrumLoop(97, { sampleRate, seconds }), synthesizeDrumLoop(140, { sampleRate, seconds })]
    .slice(0, channels)
    .map((samples) => samples.map((sample) => gain * sample))
  return joinBytes(mp3Encoder.encode(samplesOfChannels).slice(), mp3Encoder.finalize().slice())
}

/**
 * Raises `global_gain` of each granule and channel by `gainSteps` of 1.5 dB, as mp3gain does, so that the file decodes above full scale. This
 * code processes the bits as text and is independent of the engine's code, so that the test can compare both.
 */
export function withRaisedGain(packetBytes: Uint8Array<ArrayBuffer>, gainSteps: number): Uint8Array<ArrayBuffer> {
  const raisedFile = packetBytes.slice()
  for (let packetStart = 0; packetStart < raisedFile.length; ) {
    const [, versionByte = 0, ratesByte = 0, modeByte = 0] = raisedFile.subarray(packetStart, packetStart + 4)
    const isMpeg1 = ((versionByte >> 3) & 3) === 3
    const isMono = modeByte >> 6 === 3
    const sideInfoStart = packetStart + ((versionByte & 1) === 0 ? 6 : 4)
    const sideInfoBytes = isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17
    let bitTexts = Array.from(raisedFile.subarray(sideInfoStart, sideInfoStart + sideInfoBytes), (byte) =>
      byte.toString(2).padStart(8, '0'),
    ).join('')
    const granuleBits = isMpeg1 ? 59 : 63
    // The granules are the last bits of the packet's side information.
    for (let granuleStart = bitTexts.length % granuleBits; granuleStart < bitTexts.length; granuleStart += granuleBits) {
      const gainBits = bitTexts.slice(granuleStart + 21, granuleStart + 29)
      // For a silent granule, LAME writes the largest gain or none.
      const gain = Number.parseInt(gainBits, 2)
      const raisedGain = gain === 0 || gain + gainSteps > 255 ? gain : gain + gainSteps
      bitTexts = bitTexts.slice(0, granuleStart + 21) + raisedGain.toString(2).padStart(8, '0') + bitTexts.slice(granuleStart + 29)
    }
    for (let index = 0; index < sideInfoBytes; index++)
      raisedFile[sideInfoStart + index] = Number.parseInt(bitTexts.slice(8 * index, 8 * index + 8), 2)
    packetStart += countPacketBytes(versionByte, ratesByte)
  }
  return raisedFile
}

/**
 * Returns the size of a packet in bytes: 144 or 72 for each kbit/s and kHz, plus one if the packet is padded (ISO/IEC 11172-3, 2.4.3.1).
 */
function countPacketBytes(versionByte: number, ratesByte: number): number {
  const mpegVersion = (versionByte >> 3) & 3
  const mpeg1Kbps = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  const mpeg2Kbps = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  const kbps = (mpegVersion === 3 ? mpeg1Kbps : mpeg2Kbps)[ratesByte >> 4] ?? 0
  const rate = ([44_100, 48_000, 32_000][(ratesByte >> 2) & 3] ?? 0) / (mpegVersion === 3 ? 1 : mpegVersion === 2 ? 2 : 4)
  return Math.floor(((mpegVersion === 3 ? 144_000 : 72_000) * kbps) / rate) + ((ratesByte >> 1) & 1)
}

/** Prepends LAME's info packet, which states the number of packets and the encoder's delay and padding. */
export function withInfoPacket(
  packetBytes: Uint8Array<ArrayBuffer>,
  packetCount: number,
  { delay = 576, padding = 1000 } = {},
): Uint8Array<ArrayBuffer> {
  const [firstByte = 0, secondByte = 0, thirdByte = 0, fourthByte = 0] = packetBytes
  const mpegVersion = (secondByte >> 3) & 3
  const isMono = fourthByte >> 6 === 3
  const sampleRate = ([44_100, 48_000, 32_000][(thirdByte >> 2) & 3] ?? 0) / (mpegVersion === 3 ? 1 : mpegVersion === 2 ? 2 : 4)
  // The info packet has the highest bit rate, so that it is large enough for the header.
  const infoPacket = new Uint8Array(Math.floor((mpegVersion === 3 ? 144_000 * 320 : 72_000 * 160) / sampleRate))
  infoPacket.set([firstByte, secondByte, 0xe0 | (thirdByte & 0x0c), fourthByte])
  const infoStart = 4 + (mpegVersion === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const FRAME_COUNT_FLAG = 1
  const view = new DataView(infoPacket.buffer)
  infoPacket.set(new TextEncoder().encode('Xing'), infoStart)
  view.setUint32(infoStart + 4, FRAME_COUNT_FLAG)
  view.setUint32(infoStart + 8, packetCount)
  infoPacket.set(new TextEncoder().encode('LAME3.100'), infoStart + 12)
  view.setUint32(infoStart + 32, (delay << 12) | padding)
  return joinBytes(infoPacket, packetBytes)
}

/** Adds the tags that most files have: ID3v2 with a cover before the packets, ID3v1 after them. */
export function withTags(packetBytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const id3v2Tag = new Uint8Array(10 + 5 * 128)
  id3v2Tag.set([...new TextEncoder().encode('ID3'), 3, 0, 0, 0, 0, 5, 0])
  const tagAfter = new Uint8Array(128)
  tagAfter.set(new TextEncoder().encode('TAGSweep'))
  return joinBytes(id3v2Tag, packetBytes, tagAfter)
}

/** Concatenates byte arrays. */
export const joinBytes = (...arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => joinArrays(arrays)

/**
 * Repacks stereo packets of 128 kbps at 44.1 kHz as packets of 320 kbps with a checksum. A new packet is larger: it contains all of its own
 * data, none of which is in earlier packets, and has room for the checksum.
 */
export function withChecksums(packets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const SIDE_INFO_END = 4 + 32
  const parsedPackets: { readonly head: Uint8Array; readonly mainStart: number }[] = []
  let mainData = new Uint8Array()
  for (let packetIndex = 0; packetIndex < packets.length; ) {
    const endByte = packetIndex + countPacketBytes(packets[packetIndex + 1] ?? 0, packets[packetIndex + 2] ?? 0)
    const headBytes = packets.slice(packetIndex, packetIndex + SIDE_INFO_END)
    // The field main_data_begin: how many bytes before this packet its data begin.
    const mainDataBegin = ((headBytes[4] ?? 0) << 1) | ((headBytes[5] ?? 0) >> 7)
    parsedPackets.push({ head: headBytes, mainStart: mainData.length - mainDataBegin })
    mainData = joinBytes(mainData, packets.subarray(packetIndex + SIDE_INFO_END, endByte))
    packetIndex = endByte
  }
  const newPackets = parsedPackets.map(({ head, mainStart }, index) => {
    const packetBytes = new Uint8Array(1044)
    const mainDataEnd = parsedPackets[index + 1]?.mainStart ?? mainData.length
    packetBytes.set([0xff, 0xfa, 0xe0, head[3] ?? 0])
    packetBytes.set([0, (head[5] ?? 0) & 0x7f, ...head.subarray(6, SIDE_INFO_END)], 6)
    packetBytes.set(mainData.subarray(mainStart, mainDataEnd), SIDE_INFO_END + 2)
    packetBytes.set(computeChecksumBytes(packetBytes), 4)
    return packetBytes
  })
  return joinBytes(...newPackets)
}

/**
 * Returns the checksum of a stereo packet of MPEG-1 (ISO/IEC 11172-3, 2.4.3.1), by dividing the polynomial of its protected bits by
 * x^16 + x^15 + x^2 + 1.
 */
export function computeChecksumBytes(packetBytes: Uint8Array): readonly [number, number] {
  const protectedBytes = [...packetBytes.subarray(2, 4), ...packetBytes.subarray(6, 38)]
  const messageBits = protectedBytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1))
  let crcState = 0xffff
  for (const bit of messageBits) {
    const isSubtracted = crcState >> 15 !== bit
    crcState = ((crcState << 1) & 0xffff) ^ (isSubtracted ? 0x8005 : 0)
  }
  return [crcState >> 8, crcState & 0xff]
}
