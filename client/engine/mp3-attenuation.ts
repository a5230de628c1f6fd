import { type Mp3Format, type Mp3Packets, parseMp3Format } from './mp3-packets.ts'

/**
 * The step by which `global_gain` is lowered. A sample is proportional to 2^(global_gain / 4) (ISO/IEC 11172-3, 2.4.3.4.7.1), so that 12 steps
 * are exactly a factor of 1/8, or 18 dB.
 */
const ATTENUATION_GAIN_STEPS = 12
/**
 * The factor that restores the level of samples that were decoded from attenuated packets. Because the factor is a power of two,
 * multiplying by it causes no rounding.
 */
export const MP3_RESTORING_GAIN = 8

/** The position of `global_gain` in the side information of a granule and channel, after `part2_3_length` and `big_values`. */
const GLOBAL_GAIN_BIT_OFFSET = 12 + 9
const HEADER_BYTES = 4
const CHECKSUM_BYTES = 2

/**
 * Lowers the level of all packets of a file by 18 dB, in place, without decoding them. Browsers limit the samples of MP3 files to full scale,
 * which loud masters exceed.
 */
export function attenuatePackets(file: Uint8Array, { format, packetStarts }: Mp3Packets): void {
  for (const at of packetStarts.slice(0, -1)) attenuatePacketAt(file, at, format)
}

/**
 * Lowers the level of one packet by 18 dB, in place.
 *
 * @returns false if `packetBytes` does not start with the header of a layer III packet, and is unchanged
 */
export function attenuatePacket(packetBytes: Uint8Array): boolean {
  const format = parseMp3Format(packetBytes, 0)
  if (format === undefined) return false
  attenuatePacketAt(packetBytes, 0, format)
  return true
}

/** Returns the layout of the side information (ISO/IEC 11172-3, 2.4.1.7; ISO/IEC 13818-3, 2.4.1.7). */
function findSideLayout(fileBytes: Uint8Array, packetStart: number, { framesPerPacket, channels }: Mp3Format) {
  const isMpeg1 = framesPerPacket === 1152
  // The protection bit is 0 if a checksum follows the header.
  const hasChecksum = ((fileBytes[packetStart + 1] ?? 0) & 1) === 0
  const sideStart = packetStart + HEADER_BYTES + (hasChecksum ? CHECKSUM_BYTES : 0)
  // The bits before the granules: main_data_begin, private_bits and scfsi.
  const firstBits = isMpeg1 ? (channels === 1 ? 18 : 20) : channels === 1 ? 9 : 10
  const granuleChannels = (isMpeg1 ? 2 : 1) * channels
  const granuleBits = isMpeg1 ? 59 : 63
  const sideEnd = sideStart + Math.ceil((firstBits + granuleChannels * granuleBits) / 8)
  return { hasChecksum, sideStart, sideEnd, firstBits, granuleChannels, granuleBits }
}

/** Changes `global_gain` of each granule and channel, and the checksum. */
function attenuatePacketAt(fileBytes: Uint8Array, packetStart: number, format: Mp3Format): void {
  const { sideStart, firstBits, granuleChannels, granuleBits } = findSideLayout(fileBytes, packetStart, format)
  for (let index = 0; index < granuleChannels; index++)
    lowerGain(fileBytes, 8 * sideStart + firstBits + index * granuleBits + GLOBAL_GAIN_BIT_OFFSET)
  updateChecksum(fileBytes, packetStart, format)
}

function updateChecksum(fileBytes: Uint8Array, packetStart: number, format: Mp3Format): void {
  const { hasChecksum, sideStart, sideEnd } = findSideLayout(fileBytes, packetStart, format)
  if (!hasChecksum) return
  const packetChecksum = computeCrc16(
    fileBytes.subarray(sideStart, sideEnd),
    computeCrc16(fileBytes.subarray(packetStart + 2, packetStart + HEADER_BYTES), 0xffff),
  )
  fileBytes[packetStart + HEADER_BYTES] = packetChecksum >> 8
  fileBytes[packetStart + HEADER_BYTES + 1] = packetChecksum & 0xff
}

/**
 * Lowers the `global_gain` at a bit offset, at most to 0. A packet with a `global_gain` below 12 is more than 190 dB below full scale even
 * with the largest coefficients, so that the limit of 0 is inaudible. Silent packets and the info packet have a gain of 0.
 */
function lowerGain(fileBytes: Uint8Array, bitOffset: number): void {
  const byteIndex = bitOffset >> 3
  const bitShift = 8 - (bitOffset & 7)
  const twoBytes = ((fileBytes[byteIndex] ?? 0) << 8) | (fileBytes[byteIndex + 1] ?? 0)
  const globalGain = (twoBytes >> bitShift) & 0xff
  const lowered = (twoBytes & ~(0xff << bitShift)) | (Math.max(0, globalGain - ATTENUATION_GAIN_STEPS) << bitShift)
  fileBytes[byteIndex] = lowered >> 8
  if (byteIndex + 1 < fileBytes.length) fileBytes[byteIndex + 1] = lowered & 0xff
}

/** Returns the checksum of a packet: CRC-16 with the polynomial 0x8005 (ISO/IEC 11172-3, 2.4.3.1). */
function computeCrc16(bytes: Uint8Array, initialValue: number): number {
  let crcState = initialValue
  for (const byte of bytes) {
    crcState ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crcState = (crcState & 0x8000) === 0 ? crcState << 1 : ((crcState << 1) ^ 0x8005) & 0xffff
  }
  return crcState & 0xffff
}
