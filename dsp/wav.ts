import { joinBytes } from './byte-source.ts'
import type { FileTags } from './file-tags.ts'

/**
 * Writes RIFF WAVE files: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991), and Microsoft, "New
 * Multimedia Data Types and Data Techniques" (1994) for formats other than PCM.
 */
export type SampleFormat = 'int16' | 'int24' | 'float32'

export interface WavDescription {
  readonly format: SampleFormat
  readonly channels: number
  readonly sampleRate: number
  readonly frames: number
  /** The tags of the INFO list. */
  readonly tags?: FileTags
  /** The size of an ID3 tag that follows the samples; by default 0, without one. */
  readonly id3Bytes?: number
}

/** The maximum file size in bytes: the RIFF size is a 32-bit number that excludes the first 8 bytes. */
export const MAX_WAV_BYTES = 2 ** 32 + 7

/** The chunk ids of the tags in the INFO list. */
export const INFO_CHUNK_IDS = { title: 'INAM', artist: 'IART', album: 'IPRD', year: 'ICRD', bpm: 'IBPM' } as const

const SAMPLE_BYTES = { int16: 2, int24: 3, float32: 4 } as const

const computeDataBytes = ({ format, channels, frames }: WavDescription) => frames * channels * SAMPLE_BYTES[format]

export function computeWavSizeBytes(description: WavDescription): number {
  const { id3Bytes = 0 } = description
  const { bytesBeforeTag, bytesAfterTag } = encodeWavTrailer(description)
  return (
    encodeHeaderChunks(description).byteLength +
    computeDataBytes(description) +
    bytesBeforeTag.byteLength +
    id3Bytes +
    bytesAfterTag.byteLength
  )
}

/** Returns true if the file does not exceed the WAV size limit. */
export const fitsWavLimit = (description: WavDescription): boolean => computeWavSizeBytes(description) <= MAX_WAV_BYTES

/**
 * Returns the bytes of the file before its samples. The samples must follow, interleaved and little-endian.
 *
 * @throws RangeError if the file would exceed MAX_WAV_BYTES
 */
export function encodeWavHeader(description: WavDescription): Uint8Array<ArrayBuffer> {
  if (!fitsWavLimit(description)) throw new RangeError(`${description.frames} frames exceed the size limit of a WAV file`)
  const header = encodeHeaderChunks(description)
  new DataView(header.buffer).setUint32(4, computeWavSizeBytes(description) - 8, true)
  return header
}

/** Returns the bytes of the file between its samples and the ID3 tag, and after the tag. */
export function encodeWavTrailer(description: WavDescription): {
  readonly bytesBeforeTag: Uint8Array<ArrayBuffer>
  readonly bytesAfterTag: Uint8Array<ArrayBuffer>
} {
  const { id3Bytes = 0 } = description
  const paddingBytes = new Uint8Array(computeDataBytes(description) & 1)
  return {
    bytesBeforeTag: id3Bytes === 0 ? paddingBytes : joinBytes([paddingBytes, encodeText('id3 '), encodeNumbers(4, id3Bytes)]),
    bytesAfterTag: new Uint8Array(id3Bytes & 1),
  }
}

/** Returns the file header with a RIFF size of 0, which is filled in later. */
function encodeHeaderChunks(description: WavDescription): Uint8Array<ArrayBuffer> {
  const { format, tags } = description
  const headChunks = [encodeRiffChunk('fmt ', encodeFormatChunk(description))]
  // Formats other than PCM require a fact chunk with the number of frames.
  if (format === 'float32') headChunks.push(encodeRiffChunk('fact', encodeNumbers(4, description.frames)))
  const infoChunks = (['title', 'artist', 'album', 'year', 'bpm'] as const).flatMap((tagName) => {
    const value = tags?.[tagName]
    return value === undefined || value === '' ? [] : [encodeRiffChunk(INFO_CHUNK_IDS[tagName], encodeText(`${value}\0`))]
  })
  if (infoChunks.length > 0) headChunks.push(encodeRiffChunk('LIST', joinBytes([encodeText('INFO'), ...infoChunks])))
  return joinBytes([
    encodeText('RIFF'),
    encodeNumbers(4, 0),
    encodeText('WAVE'),
    ...headChunks,
    encodeText('data'),
    encodeNumbers(4, computeDataBytes(description)),
  ])
}

function encodeFormatChunk({ format, channels, sampleRate }: WavDescription): Uint8Array {
  const frameBytes = channels * SAMPLE_BYTES[format]
  return joinBytes([
    encodeNumbers(2, format === 'float32' ? 3 : 1, channels),
    encodeNumbers(4, sampleRate, sampleRate * frameBytes),
    encodeNumbers(2, frameBytes, 8 * SAMPLE_BYTES[format]),
    // Formats other than PCM have an extension size field, here 0.
    ...(format === 'float32' ? [encodeNumbers(2, 0)] : []),
  ])
}

/** Builds a RIFF chunk. Content of odd length is padded by one byte that the chunk size excludes. */
function encodeRiffChunk(id: string, content: Uint8Array): Uint8Array {
  return joinBytes([encodeText(id), encodeNumbers(4, content.byteLength), content, new Uint8Array(content.byteLength & 1)])
}

const encodeText = (characters: string) => new TextEncoder().encode(characters)

/** Encodes numbers as little-endian integers of `bytesPerNumber` bytes each. */
function encodeNumbers(bytesPerNumber: 2 | 4, ...numberValues: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytesPerNumber * numberValues.length))
  numberValues.forEach((numberValue, index) => {
    if (bytesPerNumber === 2) view.setUint16(2 * index, numberValue, true)
    else view.setUint32(4 * index, numberValue, true)
  })
  return new Uint8Array(view.buffer)
}
