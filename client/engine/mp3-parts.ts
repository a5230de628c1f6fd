import { gaplessOf, id3Bytes } from './mp3-gapless.ts'

/** A stretch of an MP3 file that can be decoded by itself. */
export interface Mp3Part {
  readonly startByte: number
  readonly endByte: number
  /** Samples of each channel that it decodes to. */
  readonly frames: number
  /** The first of them, with which the decoder finds its way in; the part before has them too. */
  readonly skipFrames: number
  /** Those after that, which are the whole file's. */
  readonly keepFrames: number
}

export interface Mp3Parts {
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** Of the whole file, without what its encoder added. */
  readonly frames: number
  /** Samples of each channel in one packet, a frame of the format. The last packet that a part skips is right already. */
  readonly packetFrames: number
  /** Two or more, in order. */
  readonly parts: readonly Mp3Part[]
}

/** Short enough for the page to take over in a millisecond or two, and long beside what each decodes twice. */
const PART_SECONDS = 6
/** Kbit/s of layer III by a header's 4 bits: MPEG-1 (ISO/IEC 11172-3, 2.4.2.3) and the lower rates (ISO/IEC 13818-3, 2.4.2.3). 0 is the free format. */
const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** By two bits of the header; of MPEG-2 half of it, and of what decoders call MPEG-2.5 a quarter. */
const MPEG1_RATES = [44_100, 48_000, 32_000]
/**
 * Packets before the first that is right, whose own data must all be there: the filter bank looks back on 480 samples, and each half of a packet
 * overlaps with the one before (ISO/IEC 11172-3, 2.4.3.4.9 and 2.4.3.4.10), which in MPEG-2 are packets of 576.
 */
const SETTLING_PACKETS = 3
/** A header, and a check sum that may follow it. */
const HEADER_BYTES = 6

interface Format {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly packetFrames: number
  /** At least, of a packet: without samples in them. */
  readonly sideBytes: number
  /** How far back the samples of a packet may begin (`main_data_begin` of 9 and of 8 bits). */
  readonly reservoirBytes: number
}

/**
 * How an MP3 file can be decoded in parts that give the very samples of the whole. Undefined where it is no plain run of packets of one kind, from
 * behind its ID3v2 tags to its end or to the tags there; where it says that it has another number of them; and where it is too short for two parts.
 */
export function mp3Parts(file: Uint8Array, partSeconds = PART_SECONDS): Mp3Parts | undefined {
  const run = packetsOf(file)
  if (run === undefined) return undefined
  const { format, starts } = run
  const { sampleRate, channels, packetFrames } = format
  const packets = starts.length - 1
  const count = Math.floor((packets * packetFrames) / (partSeconds * sampleRate))
  if (count < 2) return undefined
  // Its first packet may tell of the rest, and is no sound then.
  const gapless = gaplessOf(file.slice(starts[0], starts[1]), packetFrames)
  const infoPackets = gapless === undefined ? 0 : 1
  if (gapless !== undefined && gapless.packets !== packets - infoPackets) return undefined
  const delayFrames = infoPackets * packetFrames + (gapless?.skipFrames ?? 0)
  const frames = Math.min(gapless?.frames ?? Number.POSITIVE_INFINITY, packets * packetFrames - delayFrames)

  const startOf = (packet: number) => starts[packet] ?? 0
  const parts = Array.from({ length: count }, (_, index): Mp3Part => {
    const [from, to] = [Math.round((index * packets) / count), Math.round(((index + 1) * packets) / count)]
    const keepTo = Math.min(frames, to * packetFrames - delayFrames)
    if (index === 0) return { startByte: 0, endByte: startOf(to), frames: keepTo, skipFrames: 0, keepFrames: keepTo }
    const first = Math.max(infoPackets, warmUp(format, starts, from))
    return {
      startByte: startOf(first),
      endByte: startOf(to),
      frames: (to - first) * packetFrames,
      skipFrames: (from - first) * packetFrames,
      keepFrames: keepTo - (from * packetFrames - delayFrames),
    }
  })
  return { sampleRate, channels, frames, packetFrames, parts }
}

/** Where a decoder must begin for the packet before `packet` to be right. */
function warmUp({ sideBytes, reservoirBytes }: Format, starts: readonly number[], packet: number): number {
  let first = packet - 1 - SETTLING_PACKETS
  for (let bytes = 0; bytes < reservoirBytes && first > 0; first--) bytes += (starts[first] ?? 0) - (starts[first - 1] ?? 0) - sideBytes
  return first
}

/** Where each packet starts, and where the last one ends. */
function packetsOf(file: Uint8Array): { readonly format: Format; readonly starts: readonly number[] } | undefined {
  let at = 0
  for (let tagBytes = id3Bytes(file); tagBytes > 0; tagBytes = id3Bytes(file.subarray(at, at + 10))) at += tagBytes
  const kind = kindOf(file, at)
  const format = formatOf(file, at)
  if (format === undefined) return undefined
  const starts = [at]
  while (kindOf(file, at) === kind) {
    const bytes = packetBytes(file, at, format)
    if (bytes === undefined) return undefined
    at += bytes
    starts.push(at)
  }
  return endsAt(file, at) ? { format, starts } : undefined
}

/** What of a header is the same in all of a file: the synchronising bits, version, layer, sampling rate, and whether it is mono. */
const kindOf = (file: Uint8Array, at: number): number =>
  (((file[at] ?? 0) << 16) | (((file[at + 1] ?? 0) & 0xfe) << 8) | ((file[at + 2] ?? 0) & 0x0c)) * 2 + Number(isMono(file, at))

const isMono = (file: Uint8Array, at: number): boolean => (file[at + 3] ?? 0) >> 6 === 3

function formatOf(file: Uint8Array, at: number): Format | undefined {
  const [sync = 0, kind = 0, rates = 0] = file.subarray(at, at + 3)
  const version = (kind >> 3) & 3
  const isMpeg1 = version === 3
  const rate = MPEG1_RATES[(rates >> 2) & 3]
  const isLayer3 = (kind & 6) === 2
  if (sync !== 0xff || kind < 0xe0 || version === 1 || !isLayer3 || rate === undefined) return undefined
  const mono = isMono(file, at)
  return {
    sampleRate: isMpeg1 ? rate : version === 2 ? rate / 2 : rate / 4,
    channels: mono ? 1 : 2,
    packetFrames: isMpeg1 ? 1152 : 576,
    sideBytes: HEADER_BYTES + (isMpeg1 ? (mono ? 17 : 32) : mono ? 9 : 17),
    reservoirBytes: isMpeg1 ? 511 : 255,
  }
}

/** Undefined for the free format, and where the file ends before. */
function packetBytes(file: Uint8Array, at: number, { sampleRate, packetFrames }: Format): number | undefined {
  const rates = file[at + 2] ?? 0
  const kbps = (packetFrames === 1152 ? MPEG1_KBPS : MPEG2_KBPS)[rates >> 4] ?? 0
  const bytes = Math.floor((packetFrames * 125 * kbps) / sampleRate) + ((rates >> 1) & 1)
  return kbps === 0 || at + bytes > file.length ? undefined : bytes
}

/** Whether nothing but tags follows: APE, whose header says how much comes after it, and ID3v1, which is 128 bytes at the end. */
function endsAt(file: Uint8Array, at: number): boolean {
  if (at >= file.length) return at === file.length
  const text = new TextDecoder('latin1').decode(file.subarray(at, at + 8))
  if (text.startsWith('TAG')) return at + 128 === file.length
  if (text !== 'APETAGEX' || at + 32 > file.length) return false
  return endsAt(file, at + 32 + new DataView(file.buffer, file.byteOffset + at).getUint32(12, true))
}
