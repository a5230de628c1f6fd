import { INFO_IDS, type WavTags } from './wav.ts'

/** The error of a file that is not a WAV file, or whose sample format is not supported. */
export class WavError extends Error {
  override readonly name = 'WavError'
}

export interface Wav {
  readonly sampleRate: number
  readonly bitsPerSample: number
  readonly frames: number
  /** The samples of each channel, full scale ±1. */
  readonly channels: readonly Float32Array<ArrayBuffer>[]
  readonly tags: WavTags
}

export interface WavFormat {
  /** The WAVE format tag: 1 is PCM, 3 is IEEE float. */
  readonly formatTag: number
  readonly channels: number
  readonly sampleRate: number
  readonly bitsPerSample: number
}

const PCM_TAG = 1
const IEEE_FLOAT = 3
/** The tag WAVE_FORMAT_EXTENSIBLE: the actual format tag is in the first two bytes of the SubFormat GUID. */
const EXTENSIBLE_TAG = 0xfffe

/**
 * Reads a WAV file: PCM of 8, 16, 24 or 32 bits, or floats of 32 or 64 bits. A truncated file is read up to its end.
 *
 * @throws WavError
 */
export function readWav(bytes: Uint8Array): Wav {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < 12 || idAt(view, 0) !== 'RIFF' || idAt(view, 8) !== 'WAVE') throw new WavError('The file has no RIFF/WAVE header')
  let format: WavFormat | undefined
  let data: DataView | undefined
  let tags: WavTags = {}
  for (const [id, chunk] of chunksOf(view, 12)) {
    if (id === 'fmt ' && chunk.byteLength >= 16) format = readWavFormat(chunk)
    else if (id === 'data') data ??= chunk
    else if (id === 'LIST' && chunk.byteLength >= 4 && idAt(chunk, 0) === 'INFO') tags = readWavTags(chunk)
  }
  if (format === undefined || data === undefined) throw new WavError('The WAV file has no fmt chunk or no data chunk')
  const { sampleRate, bitsPerSample } = format
  const channels = readWavSamples(format, data)
  return { sampleRate, bitsPerSample, frames: channels[0]?.length ?? 0, channels, tags }
}

const idAt = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))

function* chunksOf(view: DataView, start: number): Generator<[id: string, chunk: DataView]> {
  for (let at = start; at + 8 <= view.byteLength; ) {
    const chunkBytes = view.getUint32(at + 4, true)
    yield [idAt(view, at), new DataView(view.buffer, view.byteOffset + at + 8, Math.min(chunkBytes, view.byteLength - at - 8))]
    at += 8 + chunkBytes + (chunkBytes & 1)
  }
}

/** Reads the sample format of a WAV file. @param chunk the content of a `fmt ` chunk, at least 16 bytes */
export function readWavFormat(chunk: DataView): WavFormat {
  const formatTag = chunk.getUint16(0, true)
  return {
    formatTag: formatTag === EXTENSIBLE_TAG && chunk.byteLength >= 26 ? chunk.getUint16(24, true) : formatTag,
    channels: chunk.getUint16(2, true),
    sampleRate: chunk.getUint32(4, true),
    bitsPerSample: chunk.getUint16(14, true),
  }
}

/** Reads the tags of a WAV file. @param listChunk the content of a LIST chunk of type INFO */
export function readWavTags(listChunk: DataView): WavTags {
  const texts = new Map<string, string>()
  for (const [id, chunk] of chunksOf(listChunk, 4)) {
    const characters = new TextDecoder().decode(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    texts.set(id, characters.replace(/\0.*$/s, ''))
  }
  const [title, artist, bpm] = [texts.get(INFO_IDS.title), texts.get(INFO_IDS.artist), Number(texts.get(INFO_IDS.bpm))]
  return { ...(title !== undefined && { title }), ...(artist !== undefined && { artist }), ...(bpm > 0 && { bpm }) }
}

/**
 * Decodes a range of the data chunk that starts at a frame boundary, to one array per channel.
 *
 * @throws WavError if the sample format is not supported
 */
export function readWavSamples(format: WavFormat, data: DataView): Float32Array<ArrayBuffer>[] {
  const { formatTag: tag, channels, bitsPerSample } = format
  const reader = isDecodableWav(format) ? READERS[tag]?.[bitsPerSample] : undefined
  if (reader === undefined) throw new WavError(`WAV format ${tag} with ${bitsPerSample} bits per sample is not supported`)
  const sampleBytes = bitsPerSample / 8
  const frames = Math.floor(data.byteLength / (sampleBytes * channels))
  const isAligned = data.byteOffset % sampleBytes === 0
  const dataBytes = data.byteLength - (data.byteLength % sampleBytes)
  const buffer = isAligned ? data.buffer : data.buffer.slice(data.byteOffset, data.byteOffset + dataBytes)
  const values = reader.read(buffer, isAligned ? data.byteOffset : 0, frames * channels)
  const { zero, fullScale } = reader
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let frame = 0, at = channel; frame < frames; frame++, at += channels) samples[frame] = ((values[at] ?? 0) - zero) / fullScale
    return samples
  })
}

/** Returns true if samples of this format can be decoded. */
export const isDecodableWav = ({ formatTag, channels, bitsPerSample }: WavFormat): boolean =>
  channels > 0 && READERS[formatTag]?.[bitsPerSample] !== undefined

/** Returns true if samples of this format can be infinite or not a number. */
export const canBeNonFinite = ({ formatTag }: WavFormat): boolean => formatTag === IEEE_FLOAT

/** Reads `count` values of a sample format from a byte offset, which is a multiple of the size of a sample. */
interface SampleReader {
  read(buffer: ArrayBufferLike, offset: number, count: number): Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array
  /** The sample value that means silence. */
  readonly zero: number
  /** The difference between the sample values of full scale and of silence. */
  readonly fullScale: number
}

/** The readers by format tag and bits per sample. WAV files are little-endian, as are all processors that run browsers. */
const READERS: Readonly<Record<number, Readonly<Record<number, SampleReader>>>> = {
  [PCM_TAG]: {
    8: { read: (buffer, offset, count) => new Uint8Array(buffer, offset, count), zero: 128, fullScale: 128 },
    16: { read: (buffer, offset, count) => new Int16Array(buffer, offset, count), zero: 0, fullScale: 2 ** 15 },
    24: { read: readInt24, zero: 0, fullScale: 2 ** 23 },
    32: { read: (buffer, offset, count) => new Int32Array(buffer, offset, count), zero: 0, fullScale: 2 ** 31 },
  },
  [IEEE_FLOAT]: {
    32: { read: (buffer, offset, count) => new Float32Array(buffer, offset, count), zero: 0, fullScale: 1 },
    64: { read: (buffer, offset, count) => new Float64Array(buffer, offset, count), zero: 0, fullScale: 1 },
  },
}

function readInt24(buffer: ArrayBufferLike, offset: number, count: number): Int32Array {
  const bytes = new Uint8Array(buffer, offset, 3 * count)
  const values = new Int32Array(count)
  for (let index = 0, at = 0; index < count; index++, at += 3)
    values[index] = (((bytes[at] ?? 0) << 8) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 24)) >> 8
  return values
}
