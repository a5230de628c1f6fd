import { canBeNonFinite, isDecodableWav, readWavSamples, type WavFormat } from '../../../dsp/read-wav.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** Uncompressed samples in a file, interleaved. */
export interface PcmData {
  /** The format of the samples, as in a WAV file, apart from their byte order. */
  readonly format: WavFormat
  readonly startByte: number
  /** The size of the samples according to the headers; `undefined` if they extend to the end of the file. */
  readonly declaredBytes: number | undefined
  /** How the samples differ from those of a WAV file, which are little-endian, and unsigned if they have 8 bits. */
  readonly isBigEndian?: boolean
  readonly isSigned8Bit?: boolean
  readonly title: string | undefined
  readonly artist: string | undefined
}

/** The number of frames that are read at once. Each read of a blob waits for the browser's process. */
const CHUNK_FRAMES = 2 ** 18
/** The largest sample that is accepted, relative to full scale. Larger floats, up to 2^128, are treated as damage. */
const MAX_LEVEL = 2 ** 64

/** Creates a source of uncompressed samples, which are read in chunks. */
export function createPcmSource(blob: Blob, data: PcmData): SampleSource | SourceFailure {
  const { format, startByte, declaredBytes, title, artist } = data
  const { sampleRate, channels, bitsPerSample } = format
  if (!isDecodableWav(format) || !isPlayableRate(sampleRate) || channels < 1 || channels > MAX_CHANNELS) return 'undecodable'
  const frameBytes = (bitsPerSample / 8) * channels
  const frames = Math.floor(Math.min(declaredBytes ?? Number.POSITIVE_INFINITY, blob.size - startByte) / frameBytes)
  if (!(frames > 0)) return 'no-sound'
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: true,
      isUncompressed: true,
      isStreamable: true,
      sampleRate,
      channels,
      expectedFrames: frames,
      declaredFrames: declaredBytes === undefined ? undefined : Math.floor(declaredBytes / frameBytes),
      title,
      artist,
    },
    chunks: () => readFrames(blob.slice(startByte), data, frames, frameBytes),
  }
}

async function* readFrames(samples: Blob, data: PcmData, frames: number, frameBytes: number) {
  const readChunk = (startFrame: number) =>
    readDataView(samples, startFrame * frameBytes, Math.min(frames, startFrame + CHUNK_FRAMES) * frameBytes)
  let nextChunk = readChunk(0)
  for (let startFrame = 0; startFrame < frames; startFrame += CHUNK_FRAMES) {
    const chunk = await nextChunk
    if (startFrame + CHUNK_FRAMES < frames) {
      // The browser's process reads the next chunk while this one is converted.
      nextChunk = readChunk(startFrame + CHUNK_FRAMES)
      // The rejection is handled here, because it is thrown when the chunk is awaited.
      nextChunk.catch(() => {})
    }
    convertToWav(new Uint8Array(chunk.buffer), data)
    const channels = readWavSamples(data.format, chunk)
    if (canBeNonFinite(data.format)) for (const channelSamples of channels) silenceInvalidSamples(channelSamples)
    yield channels
  }
}

/** Converts samples to those of a WAV file, in place. */
function convertToWav(bytes: Uint8Array, { format, isBigEndian = false, isSigned8Bit = false }: PcmData) {
  const sampleBytes = format.bitsPerSample / 8
  if (sampleBytes === 1 && isSigned8Bit) for (let at = 0; at < bytes.length; at++) bytes[at] = (bytes[at] ?? 0) ^ 0x80
  if (sampleBytes > 1 && isBigEndian)
    for (let at = 0; at + sampleBytes <= bytes.length; at += sampleBytes) bytes.subarray(at, at + sampleBytes).reverse()
}

/** Replaces NaN, infinities and excessive floats by silence: a single one would make all later output of a filter invalid. */
function silenceInvalidSamples(samples: Float32Array) {
  for (let frame = 0; frame < samples.length; frame++) if (!(Math.abs(samples[frame] ?? 0) <= MAX_LEVEL)) samples[frame] = 0
}

export const readDataView = async (blob: Blob, start: number, end: number) => new DataView(await blob.slice(start, end).arrayBuffer())

/** Returns the four characters of a chunk's type. */
export const readChunkType = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
