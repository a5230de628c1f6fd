/**
 * RIFF WAVE files: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991), and Microsoft, "New Multimedia Data
 * Types and Data Techniques" (1994) for samples that are not PCM.
 */
export type SampleFormat = 'int16' | 'float32'

/** Texts that players show; `bpm` is beats per minute. */
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

/** Its sizes are 32-bit numbers, and count all but the first 8 bytes. */
export const MAX_WAV_BYTES = 2 ** 32 + 7

/** The tags' names in the INFO list. */
export const INFO_IDS = { title: 'INAM', artist: 'IART', bpm: 'IBPM' } as const

export const bytesPerSample = (format: SampleFormat): number => (format === 'int16' ? 2 : 4)

const dataBytes = ({ format, channels, frames }: WavDescription) => frames * channels * bytesPerSample(format)

/** The size of the whole file. */
export const wavSizeBytes = (description: WavDescription): number => headerChunks(description).byteLength + dataBytes(description)

/** Whether a WAV file can be that large: ask before the work. */
export const fitsWav = (description: WavDescription): boolean => wavSizeBytes(description) <= MAX_WAV_BYTES

/**
 * All that stands before the samples, which follow interleaved and little-endian.
 *
 * @throws RangeError where the file would be larger than MAX_WAV_BYTES
 */
export function wavHeader(description: WavDescription): Uint8Array<ArrayBuffer> {
  if (!fitsWav(description)) throw new RangeError(`${description.frames} frames are more than a WAV file holds`)
  const header = headerChunks(description)
  new DataView(header.buffer).setUint32(4, wavSizeBytes(description) - 8, true)
  return header
}

/** The header with 0 for the size of the whole. */
function headerChunks(description: WavDescription): Uint8Array<ArrayBuffer> {
  const { format, tags } = description
  const chunks = [chunk('fmt ', formatOf(description))]
  // Samples other than PCM need a count of frames.
  if (format === 'float32') chunks.push(chunk('fact', numbers(4, description.frames)))
  const info = (['title', 'artist', 'bpm'] as const).flatMap((name) => {
    const value = tags?.[name]
    return value === undefined || value === '' ? [] : [chunk(INFO_IDS[name], text(`${value}\0`))]
  })
  if (info.length > 0) chunks.push(chunk('LIST', joined([text('INFO'), ...info])))
  return joined([text('RIFF'), numbers(4, 0), text('WAVE'), ...chunks, text('data'), numbers(4, dataBytes(description))])
}

function formatOf({ format, channels, sampleRate }: WavDescription): Uint8Array {
  const frameBytes = channels * bytesPerSample(format)
  return joined([
    numbers(2, format === 'int16' ? 1 : 3, channels),
    numbers(4, sampleRate, sampleRate * frameBytes),
    numbers(2, frameBytes, 8 * bytesPerSample(format)),
    // Of what is not PCM, the size of an extension, which is empty.
    ...(format === 'int16' ? [] : [numbers(2, 0)]),
  ])
}

/** A chunk's content is filled up to an even number of bytes, which its size leaves out. */
function chunk(id: string, content: Uint8Array): Uint8Array {
  return joined([text(id), numbers(4, content.byteLength), content, new Uint8Array(content.byteLength & 1)])
}

const text = (characters: string) => new TextEncoder().encode(characters)

/** Little-endian numbers of `bytes` (2 or 4) each. */
function numbers(bytes: 2 | 4, ...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes * values.length))
  values.forEach((value, index) => {
    if (bytes === 2) view.setUint16(2 * index, value, true)
    else view.setUint32(4 * index, value, true)
  })
  return new Uint8Array(view.buffer)
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
