import { id3TagBytes } from './mp3-gapless.ts'

/** Bit rates of layer III in kbit/s by 4 bits of the header: MPEG-1 (ISO/IEC 11172-3, 2.4.2.3) and the lower rates (ISO/IEC 13818-3, 2.4.2.3). 0 is the free format. */
const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** Sampling rates of MPEG-1 by two bits of the header. MPEG-2 has half of these, MPEG-2.5 a quarter. */
const MPEG1_RATES = [44_100, 48_000, 32_000]
/** The number of bytes of a packet header and of the checksum that may follow it. */
const HEADER_BYTES = 6

/** The format of an MP3 frame, which is called a packet here, because a frame is a sample of each channel elsewhere. */
export interface Mp3Format {
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** Samples of each channel in one packet: 1152 in MPEG-1, 576 in MPEG-2 and 2.5. */
  readonly packetFrames: number
  /** The smallest size of a packet in bytes: header and side information without samples. */
  readonly sideBytes: number
  /** Largest size of the bit reservoir, the data of a packet that precedes its header (`main_data_begin` of 9 and of 8 bits). */
  readonly reservoirBytes: number
}

/** A file that consists of packets of one format between optional tags. */
export interface Mp3Packets {
  readonly format: Mp3Format
  /** The offset of each packet, and the end of the last one. */
  readonly packetStarts: readonly number[]
}

/** Finds the packets of an MP3 file. Undefined if anything but tags surrounds them. */
export function findPackets(file: Uint8Array): Mp3Packets | undefined {
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

/** Reads the format from the packet header at the offset `at`; undefined if the header is not that of MPEG layer III. */
export function parseFormat(file: Uint8Array, at: number): Mp3Format | undefined {
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
function packetBytes(file: Uint8Array, at: number, { sampleRate, packetFrames }: Mp3Format): number | undefined {
  const ratesByte = file[at + 2] ?? 0
  const kbps = (packetFrames === 1152 ? MPEG1_KBPS : MPEG2_KBPS)[ratesByte >> 4] ?? 0
  const bytes = Math.floor((packetFrames * 125 * kbps) / sampleRate) + ((ratesByte >> 1) & 1)
  return kbps === 0 || at + bytes > file.length ? undefined : bytes
}

/** Whether only tags follow: APE, whose header contains the size of the rest of the tag, and ID3v1, the last 128 bytes of a file. */
function onlyTagsFollow(file: Uint8Array, at: number): boolean {
  if (at >= file.length) return at === file.length
  const tagId = new TextDecoder('latin1').decode(file.subarray(at, at + 8))
  if (tagId.startsWith('TAG')) return at + 128 === file.length
  if (tagId !== 'APETAGEX' || at + 32 > file.length) return false
  return onlyTagsFollow(file, at + 32 + new DataView(file.buffer, file.byteOffset + at).getUint32(12, true))
}
