import { createMp3Encoder } from 'wasm-media-encoders'
import { drumLoop } from './drum-loop.ts'

export interface Mp3FileOptions {
  readonly seconds?: number
  /** LAME would take another one where that suits the bit rate better. */
  readonly sampleRate?: 8000 | 16_000 | 22_050 | 24_000 | 44_100 | 48_000
  readonly channels?: 1 | 2
  /** Constant, unless `vbrQuality` is said: 0, the best, to 9. */
  readonly kbps?: 8 | 16 | 24 | 32 | 64 | 128 | 320
  readonly vbrQuality?: number
}

/** A drum loop, and another one on the right, made by LAME: packets and nothing else. */
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
  const sides = [drumLoop(97, { sampleRate, seconds }), drumLoop(140, { sampleRate, seconds })].slice(0, channels)
  const parts = [encoder.encode(sides).slice(), encoder.finalize().slice()]
  return joined(...parts)
}

/** As LAME puts it before `packets`: how many there are, and how many samples at both ends are not of the sound. */
export function withInfo(packets: Uint8Array<ArrayBuffer>, count: number, { delay = 576, padding = 1000 } = {}): Uint8Array<ArrayBuffer> {
  const [first = 0, second = 0, third = 0, fourth = 0] = packets
  const version = (second >> 3) & 3
  const isMono = fourth >> 6 === 3
  const rate = ([44_100, 48_000, 32_000][(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
  // The highest bit rate, so that there is room.
  const info = new Uint8Array(Math.floor((version === 3 ? 144_000 * 320 : 72_000 * 160) / rate))
  info.set([first, second, 0xe0 | (third & 0x0c), fourth])
  const at = 4 + (version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const HAS_COUNT = 1
  const view = new DataView(info.buffer)
  info.set(new TextEncoder().encode('Xing'), at)
  view.setUint32(at + 4, HAS_COUNT)
  view.setUint32(at + 8, count)
  info.set(new TextEncoder().encode('LAME3.100'), at + 12)
  view.setUint32(at + 32, (delay << 12) | padding)
  return joined(info, packets)
}

/** Tags as most files have them: ID3v2 with a cover before the sound, ID3v1 behind it. */
export function withTags(packets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const before = new Uint8Array(10 + 5 * 128)
  before.set([...new TextEncoder().encode('ID3'), 3, 0, 0, 0, 0, 5, 0])
  const after = new Uint8Array(128)
  after.set(new TextEncoder().encode('TAGSweep'))
  return joined(before, packets, after)
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
