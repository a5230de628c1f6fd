import { asciiAt, type ByteSource } from './byte-source.ts'

/** The codecs whose files are packets without a container: each packet has a header, so that a file can be read from any place. */
export type PacketCodec = 'mp3' | 'mp2' | 'aac'

/** The header of a packet. The standards call a packet a frame, but this program uses the word frame for one sample of each channel. */
export interface PacketHeader {
  readonly codec: PacketCodec
  readonly sampleRate: number
  /** The number of channels; 0 if only the data of the packet determine it. */
  readonly channels: number
  /** The number of samples of each channel. */
  readonly frames: number
  readonly bytes: number
}

/** Bit rates in kbit/s by 4 bits of the header: MPEG-1 layer III and II (ISO/IEC 11172-3, 2.4.2.3), and MPEG-2 (ISO/IEC 13818-3, 2.4.2.3). 0 is the free format. */
const MPEG1_LAYER3_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG1_LAYER2_KBPS = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** Sampling rates of MPEG-1 by two bits of the header. MPEG-2 has half of these, MPEG-2.5 a quarter. */
const MPEG1_RATES = [44_100, 48_000, 32_000]
/** Sampling rates of AAC by 4 bits of the header (ISO/IEC 14496-3, 1.6.3.4). */
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
const AAC_PACKET_FRAMES = 1024
const HEADER_BYTES = 7

/** Reads the header of a packet of MP3, MPEG layer II or AAC (ADTS) at an offset. Undefined if there is none, and for the free format of MP3. */
export function readPacketHeader(bytes: Uint8Array, offset: number): PacketHeader | undefined {
  const [sync = 0, secondByte = 0, thirdByte = 0, fourthByte = 0] = bytes.subarray(offset, offset + 4)
  if (sync !== 0xff || secondByte < 0xe0) return undefined
  return (secondByte & 0xf6) === 0xf0 ? readAdtsHeader(bytes, offset) : readMpegHeader(secondByte, thirdByte, fourthByte)
}

function readMpegHeader(secondByte: number, thirdByte: number, fourthByte: number): PacketHeader | undefined {
  const version = (secondByte >> 3) & 3
  const layer = 4 - ((secondByte >> 1) & 3)
  const mpeg1Rate = MPEG1_RATES[(thirdByte >> 2) & 3]
  if (version === 1 || (layer !== 2 && layer !== 3) || mpeg1Rate === undefined) return undefined
  const isMpeg1 = version === 3
  const kbps = (isMpeg1 ? (layer === 3 ? MPEG1_LAYER3_KBPS : MPEG1_LAYER2_KBPS) : MPEG2_KBPS)[thirdByte >> 4]
  if (kbps === undefined || kbps === 0) return undefined
  const sampleRate = isMpeg1 ? mpeg1Rate : version === 2 ? mpeg1Rate / 2 : mpeg1Rate / 4
  const frames = layer === 3 && !isMpeg1 ? 576 : 1152
  const channels = fourthByte >> 6 === 3 ? 1 : 2
  const bytes = Math.floor((frames * 125 * kbps) / sampleRate) + ((thirdByte >> 1) & 1)
  return { codec: layer === 3 ? 'mp3' : 'mp2', sampleRate, channels, frames, bytes }
}

/** Reads an ADTS header (ISO/IEC 14496-3, 1.A.2.2). */
function readAdtsHeader(header: Uint8Array, offset: number): PacketHeader | undefined {
  const [, , thirdByte = 0, fourthByte = 0, fifthByte = 0, sixthByte = 0, seventhByte] = header.subarray(offset, offset + HEADER_BYTES)
  const sampleRate = AAC_RATES[(thirdByte >> 2) & 15]
  const bytes = ((fourthByte & 3) << 11) | (fifthByte << 3) | (sixthByte >> 5)
  if (sampleRate === undefined || seventhByte === undefined || bytes <= HEADER_BYTES) return undefined
  const configuration = ((thirdByte & 1) << 2) | (fourthByte >> 6)
  const frames = AAC_PACKET_FRAMES * (1 + (seventhByte & 3))
  return { codec: 'aac', sampleRate, channels: configuration === 7 ? 8 : configuration, frames, bytes }
}

/** Whether two packet headers can belong to the same stream. */
const isSameFormat = (header: PacketHeader, other: PacketHeader): boolean =>
  header.codec === other.codec && header.sampleRate === other.sampleRate && header.channels === other.channels

/**
 * Whether a packet of an MP3 file is the info packet of Xing or LAME, which contains no sound. Its identifying text follows the empty side
 * information.
 */
function isInfoPacket(bytes: Uint8Array, offset: number, { codec, channels, frames }: PacketHeader): boolean {
  if (codec !== 'mp3') return false
  const sideBytes = frames === 1152 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17
  return ['Xing', 'Info'].includes(asciiAt(bytes, offset + 4 + sideBytes, 4))
}

const ID3_HEADER_BYTES = 10
const APE_TAG_BYTES = 32
const ID3V1_BYTES = 128

/**
 * Returns the size of the tag at an offset: ID3v2, APEv2 or ID3v1. 0 if there is no tag at the offset, and if the tag's size is wrong
 * because it exceeds the file.
 *
 * @param bytesLeft the number of bytes from the offset to the end of the file
 */
export function tagSizeAt(bytes: Uint8Array, offset: number, bytesLeft: number): number {
  const tagBytes = statedTagBytes(bytes, offset)
  return tagBytes <= bytesLeft ? tagBytes : 0
}

function statedTagBytes(bytes: Uint8Array, offset: number): number {
  const id = asciiAt(bytes, offset, 8)
  if (id.startsWith('ID3') && bytes.length >= offset + ID3_HEADER_BYTES) {
    const hasFooter = ((bytes[offset + 5] ?? 0) & 0x10) !== 0
    const sizeBytes = bytes.slice(offset + 6, offset + ID3_HEADER_BYTES)
    // The size is stored with 7 bits in each byte.
    if (sizeBytes.some((byte) => byte >= 0x80)) return 0
    return ID3_HEADER_BYTES * (hasFooter ? 2 : 1) + sizeBytes.reduce((sum, byte) => sum * 128 + byte, 0)
  }
  if (id === 'APETAGEX' && bytes.length >= offset + APE_TAG_BYTES) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset, APE_TAG_BYTES)
    // If the tag has a header, the stated size is that of everything after the header. A tag without a header begins with its items.
    const IS_HEADER = 2 ** 29
    return APE_TAG_BYTES + (Math.floor(view.getUint32(20, true) / IS_HEADER) % 2 === 1 ? view.getUint32(12, true) : 0)
  }
  return id.startsWith('TAG') ? ID3V1_BYTES : 0
}

/** A part of the file that is loaded for the search for packets. */
const WINDOW_BYTES = 2 ** 20
/**
 * The number of bytes after the current offset that are always loaded, except at the end of the file: enough for a packet header or the
 * start of a tag.
 */
const LOOKAHEAD_BYTES = 64

/** Packets of one format that follow each other in a file, perhaps with other bytes between them. */
export interface PacketRun {
  readonly header: PacketHeader
  /** The offset of each packet, and its size. */
  readonly starts: readonly number[]
  readonly sizes: readonly number[]
  /** The number of samples of each channel. */
  readonly frames: number
  /** The packets before which bytes are missing or damaged, by their index. */
  readonly afterDamage: readonly number[]
}

export interface PacketScan {
  readonly runs: readonly PacketRun[]
  /** Whether the file ends inside a packet. */
  readonly isCut: boolean
}

/**
 * Finds all packets of a file, and skips tags and other bytes anywhere between them. Bytes count as a packet if they directly follow a
 * packet, or if a packet of the same format directly follows them.
 */
export async function scanPackets(source: ByteSource, startByte: number, codec: PacketCodec): Promise<PacketScan> {
  const window = createByteWindow(source)
  const runs: { header: PacketHeader; starts: number[]; sizes: number[]; frames: number; afterDamage: number[] }[] = []
  let isCut = false
  let isDamaged = false
  let isInSync = false
  for (let at = startByte; at < source.sizeBytes; ) {
    const { bytes, start } = window.loaded(at) ?? (await window.load(at))
    const offset = at - start
    const run = runs.at(-1)
    const header = readPacketHeader(bytes, offset)
    const isPacket =
      header?.codec === codec &&
      ((isInSync && run !== undefined && isSameFormat(header, run.header)) || (await isFollowedByPacket(window, at, header)))
    if (header !== undefined && isPacket) {
      if (at + header.bytes > source.sizeBytes) {
        isCut = true
        break
      }
      const isContinued = run !== undefined && isSameFormat(header, run.header)
      const currentRun = isContinued ? run : { header, starts: [], sizes: [], frames: 0, afterDamage: [] }
      if (!isContinued) runs.push(currentRun)
      // In a joined file, only the info packet of the first part is kept.
      if (currentRun.starts.length === 0 || !isInfoPacket(bytes, offset, header)) {
        if (isDamaged && currentRun.starts.length > 0) currentRun.afterDamage.push(currentRun.starts.length)
        currentRun.starts.push(at)
        currentRun.sizes.push(header.bytes)
        currentRun.frames += header.frames
      }
      isInSync = true
      isDamaged = false
      at += header.bytes
      continue
    }
    isInSync = false
    const tagBytes = tagSizeAt(bytes, offset, source.sizeBytes - at)
    if (tagBytes > 0) at += tagBytes
    else {
      isDamaged = true
      // The search continues at the next byte that can begin a sync word or a tag.
      at = nextCandidate(bytes, offset + 1) + start
    }
  }
  return { runs: joinRuns(runs), isCut }
}

/**
 * The minimum number of packets of another format that count as a part of the file. Fewer packets are taken for bytes that look like
 * packets by chance.
 */
const MIN_RUN_PACKETS = 4

function joinRuns(runs: readonly PacketRun[]): readonly PacketRun[] {
  if (runs.length <= 1) return runs
  const joinedRuns: PacketRun[] = []
  for (const run of runs.filter(({ starts }) => starts.length >= MIN_RUN_PACKETS)) {
    const lastPart = joinedRuns.at(-1)
    if (lastPart === undefined || !isSameFormat(lastPart.header, run.header)) joinedRuns.push(run)
    else
      joinedRuns.splice(-1, 1, {
        header: lastPart.header,
        starts: [...lastPart.starts, ...run.starts],
        sizes: [...lastPart.sizes, ...run.sizes],
        frames: lastPart.frames + run.frames,
        afterDamage: [...lastPart.afterDamage, lastPart.starts.length, ...run.afterDamage.map((index) => lastPart.starts.length + index)],
      })
  }
  return joinedRuns.length === 0 ? runs.slice(0, 1) : joinedRuns
}

/** Returns the offset of the next byte with which a packet or a tag can begin. */
function nextCandidate(bytes: Uint8Array, startByte: number): number {
  const end = Math.max(startByte, bytes.length - LOOKAHEAD_BYTES)
  for (let at = startByte; at < end; at++) {
    const byte = bytes[at]
    if (byte === 0xff || (byte === 0x49 && bytes[at + 1] === 0x44) || (byte === 0x41 && bytes[at + 1] === 0x50) || byte === 0x54) return at
  }
  return end
}

/** Whether the packet at an offset is followed by another packet of the same format, by a tag, or by the end of the file. */
export async function isFollowedByPacket(window: ByteWindow, offset: number, header: PacketHeader): Promise<boolean> {
  const nextOffset = offset + header.bytes
  const bytesLeft = window.source.sizeBytes - nextOffset
  if (bytesLeft <= 0) return bytesLeft === 0
  const { bytes, start } = window.loaded(nextOffset) ?? (await window.load(nextOffset))
  const nextHeader = readPacketHeader(bytes, nextOffset - start)
  return (nextHeader !== undefined && isSameFormat(nextHeader, header)) || tagSizeAt(bytes, nextOffset - start, bytesLeft) > 0
}

interface ByteWindowPart {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The offset of the bytes in the file. */
  readonly start: number
}

export interface ByteWindow {
  readonly source: ByteSource
  /** Returns the loaded part of the file that contains a header at an offset; `undefined` if no loaded part contains the whole header. */
  loaded(offset: number, headerBytes?: number): ByteWindowPart | undefined
  load(offset: number): Promise<ByteWindowPart>
}

/** Creates a window that reads a file in large parts and keeps the last two parts in memory. */
export function createByteWindow(source: ByteSource): ByteWindow {
  let loadedParts: readonly ByteWindowPart[] = []
  return {
    source,
    loaded(offset, headerBytes = LOOKAHEAD_BYTES) {
      const neededEnd = Math.min(source.sizeBytes, offset + headerBytes)
      return loadedParts.find(({ bytes, start }) => start <= offset && neededEnd <= start + bytes.length)
    },
    async load(offset) {
      const part = { bytes: await source.read(offset, Math.min(source.sizeBytes, offset + WINDOW_BYTES)), start: offset }
      loadedParts = [part, ...loadedParts.slice(0, 1)]
      return part
    },
  }
}
