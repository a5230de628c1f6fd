import { id3TagBytes, parseGaplessInfo } from './mp3-gapless.ts'

/** A run of MP3 frames ("packets" here, as a frame is a sample of each channel) that is decoded as one job. */
export interface Mp3Section {
  readonly startByte: number
  readonly endByte: number
  /** How many samples of each channel the section decodes to. */
  readonly frames: number
  /** How many samples of each channel at the section's start only warm the decoder up. The previous section contains them too. */
  readonly warmUpFrames: number
  /** How many samples of each channel follow the warm-up: this section's share of the file. */
  readonly ownFrames: number
}

export interface Mp3Sections {
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** How many samples each channel of the whole file has, without the encoder's delay and padding. */
  readonly frames: number
  /** Samples of each channel in one packet. The last warm-up packet of a section is already correct. */
  readonly packetFrames: number
  /** The sections of the file in order, two or more. */
  readonly sections: readonly Mp3Section[]
}

/**
 * The length of a section in seconds: short enough for the page to take over its samples in one or two milliseconds, long compared with the
 * warm-up.
 */
const SECTION_SECONDS = 6
/** Bit rates of layer III in kbit/s by 4 bits of the header: MPEG-1 (ISO/IEC 11172-3, 2.4.2.3) and the lower rates (ISO/IEC 13818-3, 2.4.2.3). 0 is the free format. */
const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** Sampling rates of MPEG-1 by two bits of the header. MPEG-2 has half of these, MPEG-2.5 a quarter. */
const MPEG1_RATES = [44_100, 48_000, 32_000]
/**
 * The number of packets before the first correct one whose own data must be complete: the filter bank looks back on 480 samples, and each
 * half of a packet overlaps with the one before (ISO/IEC 11172-3, 2.4.3.4.9 and 2.4.3.4.10); in MPEG-2 a packet has 576 samples.
 */
const SETTLING_PACKETS = 3
/** The number of bytes of a packet header and of the checksum that may follow it. */
const HEADER_BYTES = 6

interface PacketFormat {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly packetFrames: number
  /** The smallest size of a packet in bytes: header and side information without samples. */
  readonly sideBytes: number
  /** Largest size of the bit reservoir, the data of a packet that precedes its header (`main_data_begin` of 9 and of 8 bits). */
  readonly reservoirBytes: number
}

/**
 * Splits an MP3 file into sections that decode to exactly the samples of the whole file. Undefined if the file is not a plain run of packets of
 * one format between optional tags, if its info packet announces another number of packets, and if it is too short for two sections.
 */
export function splitMp3(file: Uint8Array, sectionSeconds = SECTION_SECONDS): Mp3Sections | undefined {
  const packetRun = findPackets(file)
  if (packetRun === undefined) return undefined
  const { format, packetStarts } = packetRun
  const { sampleRate, channels, packetFrames } = format
  const packetCount = packetStarts.length - 1
  const count = Math.floor((packetCount * packetFrames) / (sectionSeconds * sampleRate))
  if (count < 2) return undefined
  // Skips the info packet, which decodes to no samples.
  const gaplessInfo = parseGaplessInfo(file.slice(packetStarts[0], packetStarts[1]), packetFrames)
  const infoPackets = gaplessInfo === undefined ? 0 : 1
  if (gaplessInfo !== undefined && gaplessInfo.packetCount !== packetCount - infoPackets) return undefined
  const delayFrames = infoPackets * packetFrames + (gaplessInfo?.skipFrames ?? 0)
  const frames = Math.min(gaplessInfo?.frames ?? Number.POSITIVE_INFINITY, packetCount * packetFrames - delayFrames)

  const startOf = (packet: number) => packetStarts[packet] ?? 0
  const sections = Array.from({ length: count }, (_, index): Mp3Section => {
    const [startPacket, endPacket] = [Math.round((index * packetCount) / count), Math.round(((index + 1) * packetCount) / count)]
    const endFrame = Math.min(frames, endPacket * packetFrames - delayFrames)
    if (index === 0) return { startByte: 0, endByte: startOf(endPacket), frames: endFrame, warmUpFrames: 0, ownFrames: endFrame }
    const firstPacket = Math.max(infoPackets, warmUpStart(format, packetStarts, startPacket))
    return {
      startByte: startOf(firstPacket),
      endByte: startOf(endPacket),
      frames: (endPacket - firstPacket) * packetFrames,
      warmUpFrames: (startPacket - firstPacket) * packetFrames,
      ownFrames: endFrame - (startPacket * packetFrames - delayFrames),
    }
  })
  return { sampleRate, channels, frames, packetFrames, sections }
}

/** Returns the packet from which a decoder must start so that the packet before `packet` is correct. */
function warmUpStart({ sideBytes, reservoirBytes }: PacketFormat, packetStarts: readonly number[], packet: number): number {
  let first = packet - 1 - SETTLING_PACKETS
  for (let bytes = 0; bytes < reservoirBytes && first > 0; first--)
    bytes += (packetStarts[first] ?? 0) - (packetStarts[first - 1] ?? 0) - sideBytes
  return first
}

/** Finds the offset of each packet, and the end of the last one. Undefined if anything but tags surrounds the packets. */
function findPackets(file: Uint8Array): { readonly format: PacketFormat; readonly packetStarts: readonly number[] } | undefined {
  let at = 0
  for (let tagBytes = id3TagBytes(file); tagBytes > 0; tagBytes = id3TagBytes(file.subarray(at, at + 10))) at += tagBytes
  const fixedBits = fixedHeaderBits(file, at)
  const format = parseFormat(file, at)
  if (format === undefined) return undefined
  const packetStarts = [at]
  while (fixedHeaderBits(file, at) === fixedBits) {
    const bytes = packetBytes(file, at, format)
    if (bytes === undefined) return undefined
    at += bytes
    packetStarts.push(at)
  }
  return onlyTagsFollow(file, at) ? { format, packetStarts } : undefined
}

/** Returns the header bits that are equal in all packets of a file: sync word, version, layer, sampling rate, and whether it is mono. */
const fixedHeaderBits = (file: Uint8Array, at: number): number =>
  (((file[at] ?? 0) << 16) | (((file[at + 1] ?? 0) & 0xfe) << 8) | ((file[at + 2] ?? 0) & 0x0c)) * 2 + Number(isMono(file, at))

const isMono = (file: Uint8Array, at: number): boolean => (file[at + 3] ?? 0) >> 6 === 3

/** Reads the format from a packet header; undefined if the header is not that of MPEG layer III. */
function parseFormat(file: Uint8Array, at: number): PacketFormat | undefined {
  const [syncByte = 0, versionAndLayer = 0, ratesByte = 0] = file.subarray(at, at + 3)
  const version = (versionAndLayer >> 3) & 3
  const isMpeg1 = version === 3
  const mpeg1Rate = MPEG1_RATES[(ratesByte >> 2) & 3]
  const isLayer3 = (versionAndLayer & 6) === 2
  if (syncByte !== 0xff || versionAndLayer < 0xe0 || version === 1 || !isLayer3 || mpeg1Rate === undefined) return undefined
  const isMonoPacket = isMono(file, at)
  return {
    sampleRate: isMpeg1 ? mpeg1Rate : version === 2 ? mpeg1Rate / 2 : mpeg1Rate / 4,
    channels: isMonoPacket ? 1 : 2,
    packetFrames: isMpeg1 ? 1152 : 576,
    sideBytes: HEADER_BYTES + (isMpeg1 ? (isMonoPacket ? 17 : 32) : isMonoPacket ? 9 : 17),
    reservoirBytes: isMpeg1 ? 511 : 255,
  }
}

/** Returns the size of a packet in bytes; undefined for the free format, and if the file ends inside the packet. */
function packetBytes(file: Uint8Array, at: number, { sampleRate, packetFrames }: PacketFormat): number | undefined {
  const ratesByte = file[at + 2] ?? 0
  const kbps = (packetFrames === 1152 ? MPEG1_KBPS : MPEG2_KBPS)[ratesByte >> 4] ?? 0
  const bytes = Math.floor((packetFrames * 125 * kbps) / sampleRate) + ((ratesByte >> 1) & 1)
  return kbps === 0 || at + bytes > file.length ? undefined : bytes
}

/** Whether only tags follow: APE, whose header has the size of what follows it, and ID3v1, the last 128 bytes of a file. */
function onlyTagsFollow(file: Uint8Array, at: number): boolean {
  if (at >= file.length) return at === file.length
  const tagId = new TextDecoder('latin1').decode(file.subarray(at, at + 8))
  if (tagId.startsWith('TAG')) return at + 128 === file.length
  if (tagId !== 'APETAGEX' || at + 32 > file.length) return false
  return onlyTagsFollow(file, at + 32 + new DataView(file.buffer, file.byteOffset + at).getUint32(12, true))
}
