import { type ByteSource, readAsciiAt } from './byte-source.ts'
import { createByteWindow, readTagSizeAt } from './packets.ts'

/** The content of STREAMINFO, the first metadata block (RFC 9639, 8.2). */
export interface FlacFormat {
  readonly sampleRate: number
  readonly channels: number
  readonly bitsPerSample: number
  /** The number of samples per channel that the encoder announced; 0 if the encoder did not know the number. */
  readonly frames: number
}

/** FLAC frames of one format. This program calls them packets, because it uses the word frame for one sample of each channel. */
export interface FlacRun {
  readonly format: FlacFormat
  /** The byte offsets at which each packet starts and ends. */
  readonly starts: number[]
  readonly ends: number[]
  /** The number of samples of each channel. */
  frames: number
  hasGaps: boolean
}

const STREAMINFO_BYTES = 34
/** The size of the marker `fLaC`, and that of the header of a metadata block, which has the block's type and size. */
const MARKER_BYTES = 4
const BLOCK_HEADER_BYTES = 4
/** The size of the smallest packet (RFC 9639, 9), and a size that the packets of music do not exceed. */
const MIN_PACKET_BYTES = 10
const MAX_PACKET_BYTES = 2 ** 20
/**
 * The number of bytes whose checksum is computed at a time, and the number of further bytes that are loaded, so that a header or the start of a tag
 * that follows can be read.
 */
const CHECKSUM_BLOCK_BYTES = 2 ** 16
const LOOKAHEAD_BYTES = 64
/** The sampling rates and the sizes of samples by their codes in the header of a packet; 0 refers to STREAMINFO. */
export const SAMPLE_RATE_BY_CODE = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
export const SAMPLE_BITS_BY_CODE = [0, 8, 12, 0, 16, 20, 24, 32]

export function readStreamInfo(bytes: Uint8Array, byteOffset: number): FlacFormat | undefined {
  if (bytes.length < byteOffset + STREAMINFO_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + byteOffset, STREAMINFO_BYTES)
  const packedBits = view.getUint16(12)
  return {
    sampleRate: view.getUint32(10) >>> 12,
    channels: ((packedBits >> 9) & 7) + 1,
    bitsPerSample: ((packedBits >> 4) & 31) + 1,
    frames: (packedBits & 15) * 2 ** 32 + view.getUint32(14),
  }
}

/**
 * Returns the marker `fLaC` and the STREAMINFO block that decoders need. Its sizes and its length are 0, which means unknown, because those
 * in the file may be wrong.
 */
export function buildFlacDescription({ sampleRate, channels, bitsPerSample }: FlacFormat): Uint8Array<ArrayBuffer> {
  const descriptionBytes = new Uint8Array(42)
  descriptionBytes.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34])
  const view = new DataView(descriptionBytes.buffer)
  const [MIN_BLOCK_FRAMES, MAX_BLOCK_FRAMES] = [16, 65_535]
  view.setUint16(8, MIN_BLOCK_FRAMES)
  view.setUint16(10, MAX_BLOCK_FRAMES)
  view.setUint32(18, (sampleRate << 12) | ((channels - 1) << 9) | ((bitsPerSample - 1) << 4))
  return descriptionBytes
}

/**
 * Finds all packets of a FLAC file, even after damaged bytes, and of several FLAC files that were joined. A packet extends to the next
 * packet. If the number of the next packet does not follow, the checksums decide whether it is a packet or sound data that look like a
 * header, and where the packet before it ends.
 */
export async function scanFlac(source: ByteSource): Promise<readonly FlacRun[]> {
  const byteWindow = createByteWindow(source)
  const flacRuns: FlacRun[] = []
  let lastPacket: { readonly start: number; readonly header: FlacHeader } | undefined
  const endPacket = async (endByte: number, isContinued: boolean) => {
    const currentRun = flacRuns.at(-1)
    if (lastPacket === undefined || currentRun === undefined) return
    const { start, header } = lastPacket
    const packetEndByte = isContinued ? endByte : (await findPacketEnd(source, start, endByte)).endByte
    currentRun.starts.push(start)
    currentRun.ends.push(packetEndByte)
    currentRun.frames += header.frames
    lastPacket = undefined
  }
  for (let byteOffset = 0; byteOffset < source.sizeBytes; ) {
    const { bytes, start } = byteWindow.findLoadedPart(byteOffset, LOOKAHEAD_BYTES) ?? (await byteWindow.load(byteOffset))
    const windowOffset = byteOffset - start
    const currentRun = flacRuns.at(-1)
    if (readAsciiAt(bytes, windowOffset, MARKER_BYTES) === 'fLaC') {
      const format = await readFormat(source, byteOffset)
      if (format !== undefined) {
        await endPacket(byteOffset, false)
        const isFormatOfRun = currentRun !== undefined && isSameFormat(currentRun.format, format.format)
        if (isFormatOfRun) Object.assign(currentRun.format, { frames: currentRun.format.frames + format.format.frames })
        else flacRuns.push({ format: format.format, starts: [], ends: [], frames: 0, hasGaps: false })
        byteOffset = format.end
        continue
      }
    }
    const packetHeader = currentRun && readFlacHeader(bytes, windowOffset, currentRun.format)
    const isContinued = packetHeader !== undefined && lastPacket !== undefined && isNextPacket(lastPacket.header, packetHeader)
    const isPacketFound =
      isContinued ||
      lastPacket === undefined ||
      (packetHeader !== undefined && (await findPacketEnd(source, byteOffset, byteOffset + MAX_PACKET_BYTES)).isPlausible)
    if (currentRun !== undefined && packetHeader !== undefined && isPacketFound) {
      // If files were joined without their headers, the packet numbers start at 0 again.
      if (lastPacket !== undefined && !isContinued && packetHeader.codedNumber !== 0) currentRun.hasGaps = true
      await endPacket(byteOffset, isContinued)
      lastPacket = { start: byteOffset, header: packetHeader }
      byteOffset += Math.min(MIN_PACKET_BYTES, source.sizeBytes - byteOffset)
      continue
    }
    byteOffset = findNextCandidate(bytes, windowOffset + 1) + start
  }
  await endPacket(source.sizeBytes, false)
  return flacRuns.filter(({ starts }) => starts.length > 0)
}

const isSameFormat = (format: FlacFormat, other: FlacFormat): boolean =>
  format.sampleRate === other.sampleRate && format.channels === other.channels && format.bitsPerSample === other.bitsPerSample

/**
 * Reads the metadata blocks after a marker; undefined unless the first block is STREAMINFO. Reading stops at a block whose size exceeds the
 * file.
 */
async function readFormat(source: ByteSource, byteOffset: number) {
  const streamInfoStart = byteOffset + MARKER_BYTES + BLOCK_HEADER_BYTES
  const headBytes = await source.read(byteOffset, streamInfoStart + STREAMINFO_BYTES)
  const flacFormat = readStreamInfo(headBytes, MARKER_BYTES + BLOCK_HEADER_BYTES)
  const isStreamInfo = ((headBytes[4] ?? 0) & 0x7f) === 0 && headBytes[7] === STREAMINFO_BYTES
  if (flacFormat === undefined || !isStreamInfo) return undefined
  let isLastBlock = false
  let blockStart = byteOffset + MARKER_BYTES
  while (!isLastBlock) {
    const [blockType = 0x80, ...sizeFieldBytes] = await source.read(blockStart, blockStart + BLOCK_HEADER_BYTES)
    const blockEnd = blockStart + BLOCK_HEADER_BYTES + sizeFieldBytes.reduce((sum, byte) => sum * 256 + byte, 0)
    if (blockEnd >= source.sizeBytes) break
    isLastBlock = blockType >= 0x80
    blockStart = blockEnd
  }
  return { format: flacFormat, end: blockStart }
}

interface FlacHeader {
  /** The number of the packet, or of its first frame if the sizes of the packets vary. */
  readonly codedNumber: number
  readonly isFrameNumber: boolean
  readonly frames: number
}

const isNextPacket = (header: FlacHeader, next: FlacHeader): boolean =>
  next.codedNumber === header.codedNumber + (header.isFrameNumber ? header.frames : 1)

/** Reads a packet header (RFC 9639, 9.1) of a given format. The header's checksum must be right. */
function readFlacHeader(bytes: Uint8Array, byteOffset: number, format: FlacFormat): FlacHeader | undefined {
  const [syncByte = 0, secondByte = 0, thirdByte = 0, fourthByte = 0, fifthByte = 0] = bytes.subarray(byteOffset, byteOffset + 5)
  if (syncByte !== 0xff || (secondByte & 0xfe) !== 0xf8) return undefined
  const [sizeCode, rateCode, channelAssignment, bitsCode] = [thirdByte >> 4, thirdByte & 15, fourthByte >> 4, (fourthByte >> 1) & 7]
  const channelCount = channelAssignment < 8 ? channelAssignment + 1 : 2
  if (sizeCode === 0 || rateCode === 15 || channelAssignment > 10 || bitsCode === 3 || (fourthByte & 1) === 1) return undefined
  if (channelCount !== format.channels || (bitsCode !== 0 && SAMPLE_BITS_BY_CODE[bitsCode] !== format.bitsPerSample)) return undefined
  // The number is coded like a UTF-8 character, but with up to 7 bytes.
  const numberBytes = fifthByte < 0x80 ? 1 : Math.clz32(~(fifthByte << 24))
  if (numberBytes > 7 || (fifthByte >= 0x80 && numberBytes === 1)) return undefined
  let codedFrameNumber = numberBytes === 1 ? fifthByte : fifthByte & (0x7f >> numberBytes)
  for (let index = 1; index < numberBytes; index++) codedFrameNumber = codedFrameNumber * 64 + ((bytes[byteOffset + 4 + index] ?? 0) & 0x3f)
  const blockSizeOffset = byteOffset + 4 + numberBytes
  const blockSizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const sampleRateOffset = blockSizeOffset + blockSizeBytes
  const sampleRateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0
  const readNumberAt = (from: number, count: number) => bytes.subarray(from, from + count).reduce((sum, byte) => sum * 256 + byte, 0)
  const codedRate = readNumberAt(sampleRateOffset, sampleRateBytes) * (rateCode === 12 ? 1000 : rateCode === 14 ? 10 : 1)
  const sampleRate = rateCode === 0 ? format.sampleRate : rateCode < 12 ? SAMPLE_RATE_BY_CODE[rateCode] : codedRate
  const checksumOffset = sampleRateOffset + sampleRateBytes
  if (
    sampleRate !== format.sampleRate ||
    checksumOffset >= bytes.length ||
    crc8(bytes, byteOffset, checksumOffset) !== bytes[checksumOffset]
  )
    return undefined
  const frames =
    blockSizeBytes > 0
      ? readNumberAt(blockSizeOffset, blockSizeBytes) + 1
      : sizeCode === 1
        ? 192
        : sizeCode < 6
          ? 144 << sizeCode
          : 1 << sizeCode
  return { codedNumber: codedFrameNumber, isFrameNumber: (secondByte & 1) === 1, frames }
}

/** Returns the offset of the next byte with which a packet header or a marker can begin. */
function findNextCandidate(bytes: Uint8Array, startByte: number): number {
  const end = Math.max(startByte, bytes.length - LOOKAHEAD_BYTES)
  const [sync, marker] = [bytes.indexOf(0xff, startByte), bytes.indexOf(0x66, startByte)].map((at) => (at === -1 ? end : at))
  return Math.min(sync ?? end, marker ?? end, end)
}

interface PacketEnd {
  readonly endByte: number
  /** Whether the checksum is right at this end, and the next bytes are a packet or a tag, or the file ends. */
  readonly isPlausible: boolean
}

/**
 * Returns the first plausible end of a packet up to `maxEndByte`. If there is none, returns the first offset at which the packet's checksum is
 * right, else `maxEndByte`.
 */
async function findPacketEnd(source: ByteSource, packetStartByte: number, maxEndByte: number): Promise<PacketEnd> {
  const searchEnd = Math.min(maxEndByte, source.sizeBytes)
  let crcState = 0
  let checksumMatchEnd: number | undefined
  for (let startByte = packetStartByte; startByte < searchEnd; startByte += CHECKSUM_BLOCK_BYTES) {
    const packetBytes = await source.read(startByte, startByte + CHECKSUM_BLOCK_BYTES + LOOKAHEAD_BYTES)
    for (let byteCount = 1; byteCount <= Math.min(CHECKSUM_BLOCK_BYTES, searchEnd - startByte); byteCount++) {
      crcState = ((crcState << 8) & 0xffff) ^ (CRC16_TABLE[(crcState >> 8) ^ (packetBytes[byteCount - 1] ?? 0)] ?? 0)
      const endByte = startByte + byteCount
      if (crcState !== 0 || endByte - packetStartByte <= MIN_PACKET_BYTES) continue
      checksumMatchEnd ??= endByte
      const isFollowed = endByte === searchEnd || (packetBytes[byteCount] === 0xff && ((packetBytes[byteCount + 1] ?? 0) & 0xfe) === 0xf8)
      if (isFollowed || readTagSizeAt(packetBytes, byteCount, source.sizeBytes - endByte) > 0) return { endByte, isPlausible: true }
    }
  }
  return { endByte: checksumMatchEnd ?? maxEndByte, isPlausible: false }
}

/**
 * Returns the lookup table of a checksum, with an entry for each value of a byte.
 *
 * @param crcBits 8 or 16
 */
const createCrcTable = (crcBits: number, crcPolynomial: number) =>
  Uint16Array.from({ length: 256 }, (_, byteValue) => {
    let crc = byteValue << (crcBits - 8)
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ ((crc >> (crcBits - 1)) & 1 ? crcPolynomial : 0)
    return crc & (2 ** crcBits - 1)
  })

const CRC8_TABLE = createCrcTable(8, 0x07)
const CRC16_TABLE = createCrcTable(16, 0x8005)

export function crc8(bytes: Uint8Array, startByte: number, endByte: number): number {
  let crc = 0
  for (let at = startByte; at < endByte; at++) crc = CRC8_TABLE[crc ^ (bytes[at] ?? 0)] ?? 0
  return crc
}

export function crc16(bytes: Uint8Array, startByte: number, endByte: number): number {
  let crc = 0
  for (let at = startByte; at < endByte; at++) crc = ((crc << 8) & 0xffff) ^ (CRC16_TABLE[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0)
  return crc
}
