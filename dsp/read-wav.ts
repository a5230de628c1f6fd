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
export function readWavSamples({ formatTag: tag, channels, bitsPerSample }: WavFormat, data: DataView): Float32Array<ArrayBuffer>[] {
  const sampleAt = sampleReader(tag, bitsPerSample, data)
  if (sampleAt === undefined || channels === 0)
    throw new WavError(`WAV format ${tag} with ${bitsPerSample} bits per sample is not supported`)
  const sampleBytes = bitsPerSample / 8
  const frames = Math.floor(data.byteLength / (sampleBytes * channels))
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let frame = 0; frame < frames; frame++) samples[frame] = sampleAt((frame * channels + channel) * sampleBytes)
    return samples
  })
}

/** Returns true if samples of this format can be decoded. */
export const isWavRead = ({ formatTag: tag, channels, bitsPerSample }: WavFormat): boolean =>
  channels > 0 && sampleReader(tag, bitsPerSample, new DataView(new ArrayBuffer(0))) !== undefined

function sampleReader(formatTag: number, bits: number, data: DataView): ((at: number) => number) | undefined {
  if (formatTag === IEEE_FLOAT && bits === 32) return (at) => data.getFloat32(at, true)
  if (formatTag === IEEE_FLOAT && bits === 64) return (at) => data.getFloat64(at, true)
  if (formatTag !== PCM_TAG) return undefined
  if (bits === 8) return (at) => (data.getUint8(at) - 128) / 128
  if (bits === 16) return (at) => data.getInt16(at, true) / 2 ** 15
  if (bits === 24) return (at) => (data.getUint16(at, true) + data.getInt8(at + 2) * 2 ** 16) / 2 ** 23
  if (bits === 32) return (at) => data.getInt32(at, true) / 2 ** 31
  return undefined
}
