import { joinBytes } from './byte-source.ts'

/**
 * Writes RIFF WAVE files: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991), and Microsoft, "New
 * Multimedia Data Types and Data Techniques" (1994) for formats other than PCM.
 */
export type SampleFormat = 'int16' | 'float32'

/** The metadata of the INFO list; `bpm` is beats per minute. */
export interface WavTags {
  readonly title?: string
  readonly artist?: string
  readonly bpm?: number
}

export interface WavDescription {
  readonly format: SampleFormat
  readonly channels: number
  readonly sampleRate: number
  readonly frames: number
  readonly tags?: WavTags
}

/** The maximum file size in bytes: the RIFF size is a 32-bit number that excludes the first 8 bytes. */
export const MAX_WAV_BYTES = 2 ** 32 + 7

/** The chunk ids of the tags in the INFO list. */
export const INFO_IDS = { title: 'INAM', artist: 'IART', bpm: 'IBPM' } as const

const bytesPerSample = (format: SampleFormat): number => (format === 'int16' ? 2 : 4)

const dataBytes = ({ format, channels, frames }: WavDescription) => frames * channels * bytesPerSample(format)

export const wavSizeBytes = (description: WavDescription): number => headerChunks(description).byteLength + dataBytes(description)

/** Returns true if the file does not exceed the WAV size limit. */
export const fitsWavLimit = (description: WavDescription): boolean => wavSizeBytes(description) <= MAX_WAV_BYTES

/**
 * Returns the bytes of the file before its samples. The samples must follow, interleaved and little-endian.
 *
 * @throws RangeError if the file would exceed MAX_WAV_BYTES
 */
export function wavHeader(description: WavDescription): Uint8Array<ArrayBuffer> {
  if (!fitsWavLimit(description)) throw new RangeError(`${description.frames} frames exceed the size limit of a WAV file`)
  const header = headerChunks(description)
  new DataView(header.buffer).setUint32(4, wavSizeBytes(description) - 8, true)
  return header
}

/** Returns the file header with a RIFF size of 0, which is filled in later. */
function headerChunks(description: WavDescription): Uint8Array<ArrayBuffer> {
  const { format, tags } = description
  const chunks = [riffChunk('fmt ', formatOf(description))]
  // Formats other than PCM require a fact chunk with the number of frames.
  if (format === 'float32') chunks.push(riffChunk('fact', encodeNumbers(4, description.frames)))
  const infoChunks = (['title', 'artist', 'bpm'] as const).flatMap((name) => {
    const value = tags?.[name]
    return value === undefined || value === '' ? [] : [riffChunk(INFO_IDS[name], encodeText(`${value}\0`))]
  })
  if (infoChunks.length > 0) chunks.push(riffChunk('LIST', joinBytes([encodeText('INFO'), ...infoChunks])))
  return joinBytes([
    encodeText('RIFF'),
    encodeNumbers(4, 0),
    encodeText('WAVE'),
    ...chunks,
    encodeText('data'),
    encodeNumbers(4, dataBytes(description)),
  ])
}

function formatOf({ format, channels, sampleRate }: WavDescription): Uint8Array {
  const frameBytes = channels * bytesPerSample(format)
  return joinBytes([
    encodeNumbers(2, format === 'int16' ? 1 : 3, channels),
    encodeNumbers(4, sampleRate, sampleRate * frameBytes),
    encodeNumbers(2, frameBytes, 8 * bytesPerSample(format)),
    // Formats other than PCM have an extension size field, here 0.
    ...(format === 'int16' ? [] : [encodeNumbers(2, 0)]),
  ])
}

/** Builds a RIFF chunk. Content of odd length is padded by one byte that the chunk size excludes. */
function riffChunk(id: string, content: Uint8Array): Uint8Array {
  return joinBytes([encodeText(id), encodeNumbers(4, content.byteLength), content, new Uint8Array(content.byteLength & 1)])
}

const encodeText = (characters: string) => new TextEncoder().encode(characters)

/** Encodes numbers as little-endian integers of `bytesPerNumber` bytes each. */
function encodeNumbers(bytesPerNumber: 2 | 4, ...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytesPerNumber * values.length))
  values.forEach((value, index) => {
    if (bytesPerNumber === 2) view.setUint16(2 * index, value, true)
    else view.setUint32(4 * index, value, true)
  })
  return new Uint8Array(view.buffer)
}
