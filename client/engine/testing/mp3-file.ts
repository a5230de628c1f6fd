import { createMp3Encoder } from 'wasm-media-encoders'
import { drumLoop } from './drum-loop.ts'

export interface Mp3FileOptions {
  readonly seconds?: number
  /** The sampling rate is fixed, because LAME otherwise chooses one that suits the bit rate. */
  readonly sampleRate?: 8000 | 16_000 | 22_050 | 24_000 | 44_100 | 48_000
  readonly channels?: 1 | 2
  /** The constant bit rate, used without `vbrQuality`. */
  readonly kbps?: 8 | 16 | 24 | 32 | 64 | 128 | 320
  /** The quality of a variable bit rate, from 0, the best, to 9. */
  readonly vbrQuality?: number
}

/** Encodes a drum loop, with another one in the right channel, by LAME. The file has packets only, no tags. */
export async function mp3File({
  seconds = 10,
  sampleRate = 44_100,
  channels = 2,
  kbps = 128,
  vbrQuality,
}: Mp3FileOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createMp3Encoder()
  encoder.configure({
    sampleRate,
    outputSampleRate: sampleRate,
    channels,
    ...(vbrQuality === undefined ? { bitrate: kbps } : { vbrQuality }),
  })
  const samplesOfChannels = [drumLoop(97, { sampleRate, seconds }), drumLoop(140, { sampleRate, seconds })].slice(0, channels)
  return joinBytes(encoder.encode(samplesOfChannels).slice(), encoder.finalize().slice())
}

/** Prepends LAME's info packet: the number of packets, and the encoder's delay and padding. */
export function withInfo(
  packets: Uint8Array<ArrayBuffer>,
  packetCount: number,
  { delay = 576, padding = 1000 } = {},
): Uint8Array<ArrayBuffer> {
  const [firstByte = 0, secondByte = 0, thirdByte = 0, fourthByte = 0] = packets
  const version = (secondByte >> 3) & 3
  const isMono = fourthByte >> 6 === 3
  const rate = ([44_100, 48_000, 32_000][(thirdByte >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
  // The info packet has the highest bit rate, so that it is large enough for the header.
  const infoPacket = new Uint8Array(Math.floor((version === 3 ? 144_000 * 320 : 72_000 * 160) / rate))
  infoPacket.set([firstByte, secondByte, 0xe0 | (thirdByte & 0x0c), fourthByte])
  const at = 4 + (version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const HAS_COUNT = 1
  const view = new DataView(infoPacket.buffer)
  infoPacket.set(new TextEncoder().encode('Xing'), at)
  view.setUint32(at + 4, HAS_COUNT)
  view.setUint32(at + 8, packetCount)
  infoPacket.set(new TextEncoder().encode('LAME3.100'), at + 12)
  view.setUint32(at + 32, (delay << 12) | padding)
  return joinBytes(infoPacket, packets)
}

/** Adds the tags of most files: ID3v2 with a cover before the packets, ID3v1 after them. */
export function withTags(packets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const tagBefore = new Uint8Array(10 + 5 * 128)
  tagBefore.set([...new TextEncoder().encode('ID3'), 3, 0, 0, 0, 0, 5, 0])
  const tagAfter = new Uint8Array(128)
  tagAfter.set(new TextEncoder().encode('TAGSweep'))
  return joinBytes(tagBefore, packets, tagAfter)
}

/** Concatenates byte arrays. */
export function joinBytes(...arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joinedBytes = new Uint8Array(arrays.reduce((bytes, array) => bytes + array.length, 0))
  let at = 0
  for (const array of arrays) {
    joinedBytes.set(array, at)
    at += array.length
  }
  return joinedBytes
}
