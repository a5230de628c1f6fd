import { type ByteSource, readAsciiAt } from './byte-source.ts'

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
const ADTS_HEADER_BYTES = 7

/** Reads the header of a packet of MP3, MPEG layer II or AAC (ADTS) at an offset. Undefined if there is none, and for the free format of MP3. */
export function readPacketHeader(bytes: Uint8Array, byteOffset: number): PacketHeader | undefined {
  const [sync = 0, secondByte = 0, thirdByte = 0, fourthByte = 0] = bytes.subarray(byteOffset, byteOffset + 4)
  if (sync !== 0xff || secondByte < 0xe0) return undefined
  return (secondByte & 0xf6) === 0xf0 ? readAdtsHeader(bytes, byteOffset) : readMpegHeader(secondByte, thirdByte, fourthByte)
}

function readMpegHeader(secondByte: number, thirdByte: number, fourthByte: number): PacketHeader | undefined {
  const versionBits = (secondByte >> 3) & 3
  const layerNumber = 4 - ((secondByte >> 1) & 3)
  const mpeg1Rate = MPEG1_RATES[(thirdByte >> 2) & 3]
  if (versionBits === 1 || (layerNumber !== 2 && layerNumber !== 3) || mpeg1Rate === undefined) return undefined
  const isMpeg1 = versionBits === 3
  const bitrateKbps = (isMpeg1 ? (layerNumber === 3 ? MPEG1_LAYER3_KBPS : MPEG1_LAYER2_KBPS) : MPEG2_KBPS)[thirdByte >> 4]
  if (bitrateKbps === undefined || bitrateKbps === 0) return undefined
  const sampleRate = isMpeg1 ? mpeg1Rate : versionBits === 2 ? mpeg1Rate / 2 : mpeg1Rate / 4
  const packetFrames = layerNumber === 3 && !isMpeg1 ? 576 : 1152
  const channels = fourthByte >> 6 === 3 ? 1 : 2
  const bytes = Math.floor((packetFrames * 125 * bitrateKbps) / sampleRate) + ((thirdByte >> 1) & 1)
  return { codec: layerNumber === 3 ? 'mp3' : 'mp2', sampleRate, channels, frames: packetFrames, bytes }
}

/** Reads an ADTS header (ISO/IEC 14496-3, 1.A.2.2). */
function readAdtsHeader(headerBytes: Uint8Array, byteOffset: number): PacketHeader | undefined {
  const [, , thirdByte = 0, fourthByte = 0, fifthByte = 0, sixthByte = 0, seventhByte] = headerBytes.subarray(
    byteOffset,
    byteOffset + ADTS_HEADER_BYTES,
  )
  const sampleRate = AAC_RATES[(thirdByte >> 2) & 15]
  const packetBytes = ((fourthByte & 3) << 11) | (fifthByte << 3) | (sixthByte >> 5)
  if (sampleRate === undefined || seventhByte === undefined || packetBytes <= ADTS_HEADER_BYTES) return undefined
  const configuration = ((thirdByte & 1) << 2) | (fourthByte >> 6)
  const frames = AAC_PACKET_FRAMES * (1 + (seventhByte & 3))
  return { codec: 'aac', sampleRate, channels: configuration === 7 ? 8 : configuration, frames, bytes: packetBytes }
}

/** Whether two packet headers can belong to the same stream. */
const isSameFormat = (header: PacketHeader, other: PacketHeader): boolean =>
  header.codec === other.codec && header.sampleRate === other.sampleRate && header.channels === other.channels

/**
 * Whether a packet of an MP3 file is the info packet of Xing or LAME, which contains no sound. Its identifying text follows the empty side
 * information.
 */
function isInfoPacket(bytes: Uint8Array, byteOffset: number, { codec, channels, frames }: PacketHeader): boolean {
  if (codec !== 'mp3') return false
  const sideBytes = frames === 1152 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17
  return ['Xing', 'Info'].includes(readAsciiAt(bytes, byteOffset + 4 + sideBytes, 4))
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
export function readTagSizeAt(bytes: Uint8Array, byteOffset: number, bytesLeft: number): number {
  const tagBytes = readStatedTagBytes(bytes, byteOffset)
  return tagBytes <= bytesLeft ? tagBytes : 0
}

function readStatedTagBytes(bytes: Uint8Array, byteOffset: number): number {
  const signatureText = readAsciiAt(bytes, byteOffset, 8)
  if (signatureText.startsWith('ID3') && bytes.length >= byteOffset + ID3_HEADER_BYTES) {
    const hasFooter = ((bytes[byteOffset + 5] ?? 0) & 0x10) !== 0
    const sizeFieldBytes = bytes.slice(byteOffset + 6, byteOffset + ID3_HEADER_BYTES)
    // The size is stored with 7 bits in each byte.
    if (sizeFieldBytes.some((byte) => byte >= 0x80)) return 0
    return ID3_HEADER_BYTES * (hasFooter ? 2 : 1) + sizeFieldBytes.reduce((sum, byte) => sum * 128 + byte, 0)
  }
  if (signatureText === 'APETAGEX' && bytes.length >= byteOffset + APE_TAG_BYTES) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + byteOffset, APE_TAG_BYTES)
    // If the tag has a header, the stated size is that of everything after the header. A tag without a header begins with its items.
    const IS_HEADER = 2 ** 29
    return APE_TAG_BYTES + (Math.floor(view.getUint32(20, true) / IS_HEADER) % 2 === 1 ? view.getUint32(12, true) : 0)
  }
  return signatureText.startsWith('TAG') ? ID3V1_BYTES : 0
}

/** The size of the part of the file that is loaded at a time in the search for packets. */
const SEARCH_WINDOW_BYTES = 2 ** 20
/**
 * The number of bytes after the current offset that are always loaded, except at the end of the file: enough for a packet header or the
 * start of a tag.
 */
const LOOKAHEAD_BYTES = 64

/** Packets of one format that follow each other in a file, perhaps with other bytes between them. */
export interface PacketRun {
  readonly header: PacketHeader
  /** The byte offset at which each packet starts, and its size in bytes. */
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
  const byteWindow = createByteWindow(source)
  const packetRuns: { header: PacketHeader; starts: number[]; sizes: number[]; frames: number; afterDamage: number[] }[] = []
  let isCut = false
  let isRunDamaged = false
  let isScanInSync = false
  for (let byteOffset = startByte; byteOffset < source.sizeBytes; ) {
    const { bytes, start } = byteWindow.findLoadedPart(byteOffset) ?? (await byteWindow.load(byteOffset))
    const windowOffset = byteOffset - start
    const lastRun = packetRuns.at(-1)
    const packetHeader = readPacketHeader(bytes, windowOffset)
    const isPacketHeader =
      packetHeader?.codec === codec &&
      ((isScanInSync && lastRun !== undefined && isSameFormat(packetHeader, lastRun.header)) ||
        (await isFollowedByPacket(byteWindow, byteOffset, packetHeader)))
    if (packetHeader !== undefined && isPacketHeader) {
      if (byteOffset + packetHeader.bytes > source.sizeBytes) {
        isCut = true
        break
      }
      const isRunContinued = lastRun !== undefined && isSameFormat(packetHeader, lastRun.header)
      const currentRun = isRunContinued ? lastRun : { header: packetHeader, starts: [], sizes: [], frames: 0, afterDamage: [] }
      if (!isRunContinued) packetRuns.push(currentRun)
      // In a joined file, only the info packet of the first part is kept.
      if (currentRun.starts.length === 0 || !isInfoPacket(bytes, windowOffset, packetHeader)) {
        if (isRunDamaged && currentRun.starts.length > 0) currentRun.afterDamage.push(currentRun.starts.length)
        currentRun.starts.push(byteOffset)
        currentRun.sizes.push(packetHeader.bytes)
        currentRun.frames += packetHeader.frames
      }
      isScanInSync = true
      isRunDamaged = false
      byteOffset += packetHeader.bytes
      continue
    }
    isScanInSync = false
    const tagBytes = readTagSizeAt(bytes, windowOffset, source.sizeBytes - byteOffset)
    if (tagBytes > 0) byteOffset += tagBytes
    else {
      isRunDamaged = true
      // The search continues at the next byte that can begin a sync word or a tag.
      byteOffset = findNextCandidate(bytes, windowOffset + 1) + start
    }
  }
  return { runs: joinRuns(packetRuns), isCut }
}

/**
 * The minimum number of packets of another format that count as a part of the file. Fewer packets are taken for bytes that look like
 * packets by chance.
 */
const MIN_RUN_PACKETS = 4

function joinRuns(runs: readonly PacketRun[]): readonly PacketRun[] {
  if (runs.length <= 1) return runs
  const joinedRuns: PacketRun[] = []
  for (const packetRun of runs.filter(({ starts }) => starts.length >= MIN_RUN_PACKETS)) {
    const lastJoinedRun = joinedRuns.at(-1)
    if (lastJoinedRun === undefined || !isSameFormat(lastJoinedRun.header, packetRun.header)) joinedRuns.push(packetRun)
    else
      joinedRuns.splice(-1, 1, {
        header: lastJoinedRun.header,
        starts: [...lastJoinedRun.starts, ...packetRun.starts],
        sizes: [...lastJoinedRun.sizes, ...packetRun.sizes],
        frames: lastJoinedRun.frames + packetRun.frames,
        afterDamage: [
          ...lastJoinedRun.afterDamage,
          lastJoinedRun.starts.length,
          ...packetRun.afterDamage.map((index) => lastJoinedRun.starts.length + index),
        ],
      })
  }
  return joinedRuns.length === 0 ? runs.slice(0, 1) : joinedRuns
}

/** Returns the offset of the next byte with which a packet or a tag can begin. */
function findNextCandidate(bytes: Uint8Array, startByte: number): number {
  const endOffset = Math.max(startByte, bytes.length - LOOKAHEAD_BYTES)
  for (let at = startByte; at < endOffset; at++) {
    const byte = bytes[at]
    if (byte === 0xff || (byte === 0x49 && bytes[at + 1] === 0x44) || (byte === 0x41 && bytes[at + 1] === 0x50) || byte === 0x54) return at
  }
  return endOffset
}

/** Whether the packet at an offset is followed by another packet of the same format, by a tag, or by the end of the file. */
export async function isFollowedByPacket(window: ByteWindow, byteOffset: number, header: PacketHeader): Promise<boolean> {
  const nextOffset = byteOffset + header.bytes
  const bytesLeft = window.source.sizeBytes - nextOffset
  if (bytesLeft <= 0) return bytesLeft === 0
  const { bytes, start } = window.findLoadedPart(nextOffset) ?? (await window.load(nextOffset))
  const nextHeader = readPacketHeader(bytes, nextOffset - start)
  return (nextHeader !== undefined && isSameFormat(nextHeader, header)) || readTagSizeAt(bytes, nextOffset - start, bytesLeft) > 0
}

interface ByteWindowPart {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The offset of the bytes in the file. */
  readonly start: number
}

export interface ByteWindow {
  readonly source: ByteSource
  /** Returns the loaded part of the file that contains a header at an offset; `undefined` if no loaded part contains the whole header. */
  findLoadedPart(offset: number, headerBytes?: number): ByteWindowPart | undefined
  load(offset: number): Promise<ByteWindowPart>
}

/** Creates a window that reads a file in large parts and keeps the last two parts in memory. */
export function createByteWindow(source: ByteSource): ByteWindow {
  let loadedParts: readonly ByteWindowPart[] = []
  return {
    source,
    findLoadedPart(byteOffset, headerBytes = LOOKAHEAD_BYTES) {
      const neededEnd = Math.min(source.sizeBytes, byteOffset + headerBytes)
      return loadedParts.find(({ bytes, start }) => start <= byteOffset && neededEnd <= start + bytes.length)
    },
    async load(byteOffset) {
      const part = { bytes: await source.read(byteOffset, Math.min(source.sizeBytes, byteOffset + SEARCH_WINDOW_BYTES)), start: byteOffset }
      loadedParts = [part, ...loadedParts.slice(0, 1)]
      return part
    },
  }
}
