export interface FlacFileOptions {
  readonly sampleRate: number
  readonly bits: 16 | 24
  /** Whether each packet states the sampling rate, in kHz, instead of referring to the header. */
  readonly ratesInKilohertz?: boolean
}

const BLOCK_FRAMES = 4096

/** Builds a FLAC file (RFC 9639) of uncompressed integer samples. Each array holds one channel. */
export function createFlacFile(channelSamples: readonly (readonly number[])[], options: FlacFileOptions): Uint8Array<ArrayBuffer> {
  const { sampleRate, bits } = options
  const frameCount = channelSamples[0]?.length ?? 0
  const streamInfoWriter = createBitWriter()
  streamInfoWriter.write(16, BLOCK_FRAMES)
  streamInfoWriter.write(16, BLOCK_FRAMES)
  // The header leaves the smallest and the largest block size unknown.
  streamInfoWriter.write(24, 0)
  streamInfoWriter.write(24, 0)
  streamInfoWriter.write(20, sampleRate)
  streamInfoWriter.write(3, channelSamples.length - 1)
  streamInfoWriter.write(5, bits - 1)
  streamInfoWriter.write(4, 0)
  streamInfoWriter.write(32, frameCount)
  // The header leaves the MD5 of the samples unknown.
  for (let count = 0; count < 4; count++) streamInfoWriter.write(32, 0)
  const STREAMINFO_AS_LAST_BLOCK = 0x80
  const fileByteValues = [
    ...new TextEncoder().encode('fLaC'),
    STREAMINFO_AS_LAST_BLOCK,
    0,
    0,
    streamInfoWriter.bytes.length,
    ...streamInfoWriter.bytes,
  ]
  for (let start = 0; start < frameCount; start += BLOCK_FRAMES) {
    const block = channelSamples.map((samples) => samples.slice(start, start + BLOCK_FRAMES))
    for (const byte of createFlacBlock(block, start / BLOCK_FRAMES, options)) fileByteValues.push(byte)
  }
  return Uint8Array.from(fileByteValues)
}

function createFlacBlock(
  channelSamples: readonly (readonly number[])[],
  blockIndex: number,
  { bits, sampleRate, ratesInKilohertz = false }: FlacFileOptions,
): readonly number[] {
  if (blockIndex > 127) throw new RangeError('the index of a block is a code point of one byte here')
  const { bytes, write } = createBitWriter()
  const SYNC_CODE = 0xfff8
  const BLOCK_SIZE_FOLLOWS_CODE = 7
  const RATE_FROM_STREAM_INFO_CODE = 0
  const RATE_IN_KILOHERTZ_CODE = 12
  write(16, SYNC_CODE)
  write(4, BLOCK_SIZE_FOLLOWS_CODE)
  write(4, ratesInKilohertz ? RATE_IN_KILOHERTZ_CODE : RATE_FROM_STREAM_INFO_CODE)
  write(4, channelSamples.length - 1)
  write(3, bits === 16 ? 4 : 6)
  write(1, 0)
  write(8, blockIndex)
  write(16, (channelSamples[0]?.length ?? 0) - 1)
  if (ratesInKilohertz) write(8, sampleRate / 1000)
  write(8, computeCrc(bytes, 8, 0x07))
  const VERBATIM_SUBFRAME_HEADER = 2
  for (const samples of channelSamples) {
    write(8, VERBATIM_SUBFRAME_HEADER)
    for (const sample of samples) write(bits, sample)
  }
  write(16, computeCrc(bytes, 16, 0x8005))
  return bytes
}

function createBitWriter() {
  const writtenBytes: number[] = []
  let partialByte = 0
  let pendingBitCount = 0
  return {
    bytes: writtenBytes,
    /** Appends the lowest `bitCount` bits of `bitField`, the highest first. */
    write(bitCount: number, bitField: number) {
      for (let bitIndex = bitCount - 1; bitIndex >= 0; bitIndex--) {
        partialByte = (partialByte << 1) | ((bitField >> bitIndex) & 1)
        pendingBitCount += 1
        if (pendingBitCount < 8) continue
        writtenBytes.push(partialByte)
        partialByte = 0
        pendingBitCount = 0
      }
    },
  }
}

function computeCrc(checkedBytes: readonly number[], crcBits: 8 | 16, crcPolynomial: number): number {
  let crcRemainder = 0
  for (const checkedByte of checkedBytes) {
    crcRemainder ^= checkedByte << (crcBits - 8)
    for (let bit = 0; bit < 8; bit++) {
      const isSubtracted = crcRemainder >> (crcBits - 1) === 1
      crcRemainder = ((crcRemainder << 1) & (2 ** crcBits - 1)) ^ (isSubtracted ? crcPolynomial : 0)
    }
  }
  return crcRemainder
}
