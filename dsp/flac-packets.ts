import { asciiAt, type ByteSource } from './byte-source.ts'
import { createByteWindow, tagSizeAt } from './packets.ts'

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
  /** The offset of each packet, and its end. */
  readonly starts: number[]
  readonly ends: number[]
  /** The number of samples of each channel. */
  frames: number
  hasGaps: boolean
}

const STREAMINFO_BYTES = 34
/** The marker, and the header of a metadata block: its type and its size. */
const MARKER_BYTES = 4
const BLOCK_HEADER_BYTES = 4
/** The size of the smallest packet (RFC 9639, 9), and a size that the packets of music do not exceed. */
const MIN_PACKET_BYTES = 10
const MAX_PACKET_BYTES = 2 ** 20
/**
 * The number of bytes whose checksum is computed at a time, and the number of further bytes that are loaded, so that a header or the start of a tag
 * that follows can be read.
 */
const CHECKED_BYTES = 2 ** 16
const LOOKAHEAD_BYTES = 64
/** The sampling rates and the sizes of samples by their codes in the header of a packet; 0 refers to STREAMINFO. */
export const PACKET_RATES = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
export const PACKET_SAMPLE_BITS = [0, 8, 12, 0, 16, 20, 24, 32]

export function readStreamInfo(bytes: Uint8Array, offset: number): FlacFormat | undefined {
  if (bytes.length < offset + STREAMINFO_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, STREAMINFO_BYTES)
  const packed = view.getUint16(12)
  return {
    sampleRate: view.getUint32(10) >>> 12,
    channels: ((packed >> 9) & 7) + 1,
    bitsPerSample: ((packed >> 4) & 31) + 1,
    frames: (packed & 15) * 2 ** 32 + view.getUint32(14),
  }
}

/**
 * Returns the marker `fLaC` and the STREAMINFO block that decoders need. Its sizes and its length are 0, which means unknown, because those
 * in the file may be wrong.
 */
export function buildFlacDescription({ sampleRate, channels, bitsPerSample }: FlacFormat): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(42)
  bytes.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34])
  const view = new DataView(bytes.buffer)
  const [MIN_BLOCK_FRAMES, MAX_BLOCK_FRAMES] = [16, 65_535]
  view.setUint16(8, MIN_BLOCK_FRAMES)
  view.setUint16(10, MAX_BLOCK_FRAMES)
  view.setUint32(18, (sampleRate << 12) | ((channels - 1) << 9) | ((bitsPerSample - 1) << 4))
  return bytes
}

/**
 * Finds all packets of a FLAC file, even after damaged bytes, and of several FLAC files that were joined. A packet extends to the next
 * packet. If the number of the next packet does not follow, the checksums decide whether it is a packet or sound data that look like a
 * header, and where the packet before it ends.
 */
export async function scanFlac(source: ByteSource): Promise<readonly FlacRun[]> {
  const window = createByteWindow(source)
  const runs: FlacRun[] = []
  let lastPacket: { readonly start: number; readonly header: FlacHeader } | undefined
  const endPacket = async (end: number, isContinued: boolean) => {
    const run = runs.at(-1)
    if (lastPacket === undefined || run === undefined) return
    const { start, header } = lastPacket
    const ownEnd = isContinued ? end : (await packetEnd(source, start, end)).end
    run.starts.push(start)
    run.ends.push(ownEnd)
    run.frames += header.frames
    lastPacket = undefined
  }
  for (let at = 0; at < source.sizeBytes; ) {
    const { bytes, start } = window.loaded(at, LOOKAHEAD_BYTES) ?? (await window.load(at))
    const offset = at - start
    const run = runs.at(-1)
    if (asciiAt(bytes, offset, MARKER_BYTES) === 'fLaC') {
      const format = await readFormat(source, at)
      if (format !== undefined) {
        await endPacket(at, false)
        const isSame = run !== undefined && isSameFormat(run.format, format.format)
        if (isSame) Object.assign(run.format, { frames: run.format.frames + format.format.frames })
        else runs.push({ format: format.format, starts: [], ends: [], frames: 0, hasGaps: false })
        at = format.end
        continue
      }
    }
    const header = run && readFlacHeader(bytes, offset, run.format)
    const isContinued = header !== undefined && lastPacket !== undefined && isNext(lastPacket.header, header)
    const isPacket =
      isContinued || lastPacket === undefined || (header !== undefined && (await packetEnd(source, at, at + MAX_PACKET_BYTES)).isPlausible)
    if (run !== undefined && header !== undefined && isPacket) {
      // If files were joined without their headers, the packet numbers start at 0 again.
      if (lastPacket !== undefined && !isContinued && header.number !== 0) run.hasGaps = true
      await endPacket(at, isContinued)
      lastPacket = { start: at, header }
      at += Math.min(MIN_PACKET_BYTES, source.sizeBytes - at)
      continue
    }
    at = nextCandidate(bytes, offset + 1) + start
  }
  await endPacket(source.sizeBytes, false)
  return runs.filter(({ starts }) => starts.length > 0)
}

const isSameFormat = (format: FlacFormat, other: FlacFormat): boolean =>
  format.sampleRate === other.sampleRate && format.channels === other.channels && format.bitsPerSample === other.bitsPerSample

/**
 * Reads the metadata blocks after a marker; undefined unless the first block is STREAMINFO. Reading stops at a block whose size exceeds the
 * file.
 */
async function readFormat(source: ByteSource, offset: number) {
  const infoAt = offset + MARKER_BYTES + BLOCK_HEADER_BYTES
  const head = await source.read(offset, infoAt + STREAMINFO_BYTES)
  const format = readStreamInfo(head, MARKER_BYTES + BLOCK_HEADER_BYTES)
  const isStreamInfo = ((head[4] ?? 0) & 0x7f) === 0 && head[7] === STREAMINFO_BYTES
  if (format === undefined || !isStreamInfo) return undefined
  let isLast = false
  let end = offset + MARKER_BYTES
  while (!isLast) {
    const [type = 0x80, ...size] = await source.read(end, end + BLOCK_HEADER_BYTES)
    const blockEnd = end + BLOCK_HEADER_BYTES + size.reduce((sum, byte) => sum * 256 + byte, 0)
    if (blockEnd >= source.sizeBytes) break
    isLast = type >= 0x80
    end = blockEnd
  }
  return { format, end }
}

interface FlacHeader {
  /** The number of the packet, or of its first frame if the sizes of the packets vary. */
  readonly number: number
  readonly countsFrames: boolean
  readonly frames: number
}

const isNext = (header: FlacHeader, next: FlacHeader): boolean => next.number === header.number + (header.countsFrames ? header.frames : 1)

/** Reads a packet header (RFC 9639, 9.1) of a given format. The header's checksum must be right. */
function readFlacHeader(bytes: Uint8Array, offset: number, format: FlacFormat): FlacHeader | undefined {
  const [sync = 0, secondByte = 0, thirdByte = 0, fourthByte = 0, fifthByte = 0] = bytes.subarray(offset, offset + 5)
  if (sync !== 0xff || (secondByte & 0xfe) !== 0xf8) return undefined
  const [sizeCode, rateCode, assignment, bitsCode] = [thirdByte >> 4, thirdByte & 15, fourthByte >> 4, (fourthByte >> 1) & 7]
  const channels = assignment < 8 ? assignment + 1 : 2
  if (sizeCode === 0 || rateCode === 15 || assignment > 10 || bitsCode === 3 || (fourthByte & 1) === 1) return undefined
  if (channels !== format.channels || (bitsCode !== 0 && PACKET_SAMPLE_BITS[bitsCode] !== format.bitsPerSample)) return undefined
  // The number is coded like a UTF-8 character, but with up to 7 bytes.
  const numberBytes = fifthByte < 0x80 ? 1 : Math.clz32(~(fifthByte << 24))
  if (numberBytes > 7 || (fifthByte >= 0x80 && numberBytes === 1)) return undefined
  let number = numberBytes === 1 ? fifthByte : fifthByte & (0x7f >> numberBytes)
  for (let index = 1; index < numberBytes; index++) number = number * 64 + ((bytes[offset + 4 + index] ?? 0) & 0x3f)
  const sizeAt = offset + 4 + numberBytes
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateAt = sizeAt + sizeBytes
  const rateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0
  const numberAt = (from: number, count: number) => bytes.subarray(from, from + count).reduce((sum, byte) => sum * 256 + byte, 0)
  const codedRate = numberAt(rateAt, rateBytes) * (rateCode === 12 ? 1000 : rateCode === 14 ? 10 : 1)
  const sampleRate = rateCode === 0 ? format.sampleRate : rateCode < 12 ? PACKET_RATES[rateCode] : codedRate
  const checksumAt = rateAt + rateBytes
  if (sampleRate !== format.sampleRate || checksumAt >= bytes.length || crc8(bytes, offset, checksumAt) !== bytes[checksumAt])
    return undefined
  const frames = sizeBytes > 0 ? numberAt(sizeAt, sizeBytes) + 1 : sizeCode === 1 ? 192 : sizeCode < 6 ? 144 << sizeCode : 1 << sizeCode
  return { number, countsFrames: (secondByte & 1) === 1, frames }
}

/** Returns the offset of the next byte with which a packet header or a marker can begin. */
function nextCandidate(bytes: Uint8Array, startByte: number): number {
  const end = Math.max(startByte, bytes.length - LOOKAHEAD_BYTES)
  const [sync, marker] = [bytes.indexOf(0xff, startByte), bytes.indexOf(0x66, startByte)].map((at) => (at === -1 ? end : at))
  return Math.min(sync ?? end, marker ?? end, end)
}

interface PacketEnd {
  readonly end: number
  /** Whether the checksum is right at this end, and the next bytes are a packet or a tag, or the file ends. */
  readonly isPlausible: boolean
}

/**
 * Returns the first plausible end of a packet up to `maxEnd`. If there is none, returns the first offset at which the packet's checksum is
 * right, else `maxEnd`.
 */
async function packetEnd(source: ByteSource, start: number, maxEnd: number): Promise<PacketEnd> {
  const lastEnd = Math.min(maxEnd, source.sizeBytes)
  let crc = 0
  let firstEnd: number | undefined
  for (let startByte = start; startByte < lastEnd; startByte += CHECKED_BYTES) {
    const bytes = await source.read(startByte, startByte + CHECKED_BYTES + LOOKAHEAD_BYTES)
    for (let byteCount = 1; byteCount <= Math.min(CHECKED_BYTES, lastEnd - startByte); byteCount++) {
      crc = ((crc << 8) & 0xffff) ^ (CRC16_TABLE[(crc >> 8) ^ (bytes[byteCount - 1] ?? 0)] ?? 0)
      const end = startByte + byteCount
      if (crc !== 0 || end - start <= MIN_PACKET_BYTES) continue
      firstEnd ??= end
      const isFollowed = end === lastEnd || (bytes[byteCount] === 0xff && ((bytes[byteCount + 1] ?? 0) & 0xfe) === 0xf8)
      if (isFollowed || tagSizeAt(bytes, byteCount, source.sizeBytes - end) > 0) return { end, isPlausible: true }
    }
  }
  return { end: firstEnd ?? maxEnd, isPlausible: false }
}

/**
 * Returns the lookup table of a checksum, with an entry for each value of a byte.
 *
 * @param bits 8 or 16
 */
const crcTable = (bits: number, polynomial: number) =>
  Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ ((crc >> (bits - 1)) & 1 ? polynomial : 0)
    return crc & (2 ** bits - 1)
  })

const CRC8_TABLE = crcTable(8, 0x07)
const CRC16_TABLE = crcTable(16, 0x8005)

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
