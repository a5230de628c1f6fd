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
  const header = await readDataView(blob, 0, 12)
  if (header.byteLength < 12 || readChunkType(header, 0) !== 'FORM' || !['AIFF', 'AIFC'].includes(readChunkType(header, 8)))
    return undefined
  let common: DataView | undefined
  let samples: { readonly start: number; readonly declaredBytes: number } | undefined
  for (let chunkStart = 12, chunkCount = 0; chunkCount < MAX_CHUNKS && chunkStart + 8 <= blob.size; chunkCount++) {
    const chunkHeader = await readDataView(blob, chunkStart, chunkStart + 8)
    const [id, bytes] = [readChunkType(chunkHeader, 0), chunkHeader.getUint32(4)]
    const start = chunkStart + 8
    chunkStart = start + bytes + (bytes & 1)
    if (id === 'COMM') {
      common ??= await readDataView(blob, start, Math.min(start + bytes, start + 22))
    } else if (id === 'SSND') {
      const offsets = await readDataView(blob, start, start + 8)
      if (offsets.byteLength < 8) continue
      const offset = offsets.getUint32(0)
      samples ??= { start: start + 8 + offset, declaredBytes: Math.max(0, bytes - 8 - offset) }
    }
  }
  if (common === undefined || common.byteLength < 18) return 'undecodable'
  const encoding = PCM_ENCODINGS[common.byteLength >= 22 ? readChunkType(common, 18) : 'NONE']
  if (encoding === undefined) return 'unsupported-codec'
  const { tag: formatTag, isBigEndian, isSigned8Bit } = encoding
  const channels = common.getUint16(0)
  const frames = common.getUint32(2)
  // If a sample has fewer bits than its bytes, the bits are left-justified.
  const bitsPerSample = 8 * Math.ceil(common.getUint16(6) / 8)
  const format: WavFormat = { formatTag, channels, sampleRate: readExtended(common, 8), bitsPerSample, isBigEndian, isSigned8Bit }
  if (samples === undefined) return 'no-sound'
  const { start, declaredBytes } = samples
  // A recording that was interrupted may have 0 as one of the two lengths.
  const isLengthKnown = declaredBytes > 0 && start + declaredBytes <= blob.size
  const endByFrames = frames === 0 ? undefined : start + (frames * channels * bitsPerSample) / 8
  const declaredEnd = isLengthKnown ? start + declaredBytes : endByFrames
  return createPcmSource(blob, {
    format,
    start,
    declaredEnd,
  })
}

/** Reads a float of 80 bits: sign and exponent of 16 bits, and a mantissa of 64 bits (IEEE 754, extended precision). */
function readExtended(view: DataView, offset: number): number {
  const exponent = view.getUint16(offset) - 16_383
  return view.getUint32(offset + 2) * 2 ** (exponent - 31) + view.getUint32(offset + 6) * 2 ** (exponent - 63)
}
