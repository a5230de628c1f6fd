import type { WavFormat } from '../../../dsp/read-wav.ts'
import { createPcmSource, readChunkType, readDataView } from './pcm-source.ts'
import type { SampleSource, SourceFailure } from './sample-source.ts'

/** The maximum number of chunks that are read: valid files have about a dozen, a damaged file may seem to have millions. */
const MAX_CHUNKS = 200
const PCM_TAG = 1
const FLOAT_TAG = 3

/** The encodings of AIFF-C, by their compression type. Other types are compressed. */
const PCM_ENCODINGS: Readonly<Record<string, { readonly tag: number; readonly isBigEndian: boolean; readonly isSigned8Bit: boolean }>> = {
  NONE: { tag: PCM_TAG, isBigEndian: true, isSigned8Bit: true },
  twos: { tag: PCM_TAG, isBigEndian: true, isSigned8Bit: true },
  in24: { tag: PCM_TAG, isBigEndian: true, isSigned8Bit: true },
  in32: { tag: PCM_TAG, isBigEndian: true, isSigned8Bit: true },
  sowt: { tag: PCM_TAG, isBigEndian: false, isSigned8Bit: true },
  'raw ': { tag: PCM_TAG, isBigEndian: true, isSigned8Bit: false },
  fl32: { tag: FLOAT_TAG, isBigEndian: true, isSigned8Bit: false },
  FL32: { tag: FLOAT_TAG, isBigEndian: true, isSigned8Bit: false },
  fl64: { tag: FLOAT_TAG, isBigEndian: true, isSigned8Bit: false },
  FL64: { tag: FLOAT_TAG, isBigEndian: true, isSigned8Bit: false },
}

/**
 * Opens an AIFF or AIFF-C file ("Audio Interchange File Format AIFF-C", Apple 1991) of integers of 1 to 32 bits or floats. Undefined if the file
 * is of another type.
 */
export async function openAiff(blob: Blob): Promise<SampleSource | SourceFailure | undefined> {
  const headerView = await readDataView(blob, 0, 12)
  if (headerView.byteLength < 12 || readChunkType(headerView, 0) !== 'FORM' || !['AIFF', 'AIFC'].includes(readChunkType(headerView, 8)))
    return undefined
  let commonChunk: DataView | undefined
  let sampleRange: { readonly start: number; readonly declaredBytes: number } | undefined
  for (let chunkStart = 12, chunkCount = 0; chunkCount < MAX_CHUNKS && chunkStart + 8 <= blob.size; chunkCount++) {
    const chunkHeader = await readDataView(blob, chunkStart, chunkStart + 8)
    const [chunkType, chunkBytes] = [readChunkType(chunkHeader, 0), chunkHeader.getUint32(4)]
    const contentStart = chunkStart + 8
    chunkStart = contentStart + chunkBytes + (chunkBytes & 1)
    if (chunkType === 'COMM') {
      commonChunk ??= await readDataView(blob, contentStart, Math.min(contentStart + chunkBytes, contentStart + 22))
    } else if (chunkType === 'SSND') {
      const offsetsView = await readDataView(blob, contentStart, contentStart + 8)
      if (offsetsView.byteLength < 8) continue
      const offset = offsetsView.getUint32(0)
      sampleRange ??= { start: contentStart + 8 + offset, declaredBytes: Math.max(0, chunkBytes - 8 - offset) }
    }
  }
  if (commonChunk === undefined || commonChunk.byteLength < 18) return 'undecodable'
  const pcmEncoding = PCM_ENCODINGS[commonChunk.byteLength >= 22 ? readChunkType(commonChunk, 18) : 'NONE']
  if (pcmEncoding === undefined) return 'unsupported-codec'
  const { tag: formatTag, isBigEndian, isSigned8Bit } = pcmEncoding
  const channelCount = commonChunk.getUint16(0)
  const frameCount = commonChunk.getUint32(2)
  // If a sample has fewer bits than its bytes, the bits are left-justified.
  const bitsPerSample = 8 * Math.ceil(commonChunk.getUint16(6) / 8)
  const format: WavFormat = {
    formatTag,
    channels: channelCount,
    sampleRate: readExtended(commonChunk, 8),
    bitsPerSample,
    isBigEndian,
    isSigned8Bit,
  }
  if (sampleRange === undefined) return 'no-sound'
  const { start, declaredBytes } = sampleRange
  // A recording that was interrupted may have 0 as one of the two lengths.
  const isDataLengthKnown = declaredBytes > 0 && start + declaredBytes <= blob.size
  const endFromFrameCount = frameCount === 0 ? undefined : start + (frameCount * channelCount * bitsPerSample) / 8
  const declaredEnd = isDataLengthKnown ? start + declaredBytes : endFromFrameCount
  return createPcmSource(blob, {
    format,
    start,
    declaredEnd,
  })
}

/** Reads a float of 80 bits: sign and exponent of 16 bits, and a mantissa of 64 bits (IEEE 754, extended precision). */
function readExtended(view: DataView, byteOffset: number): number {
  const exponent = view.getUint16(byteOffset) - 16_383
  return view.getUint32(byteOffset + 2) * 2 ** (exponent - 31) + view.getUint32(byteOffset + 6) * 2 ** (exponent - 63)
}
