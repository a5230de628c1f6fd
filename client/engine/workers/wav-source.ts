import { canBeInvalid, isWavRead, readWavFormat, readWavSamples, readWavTags, type WavFormat } from '../../../dsp/read-wav.ts'
import type { WavTags } from '../../../dsp/wav.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** The number of frames that are read at once. Each read of a blob waits for the browser's process. */
const CHUNK_FRAMES = 2 ** 18
/** The largest sample that is accepted, relative to full scale. Larger floats, up to 2^128, are treated as damage. */
const MAX_LEVEL = 2 ** 64
/** The maximum number of chunks that are read: valid files have about a dozen, a damaged file may seem to have millions. */
const MAX_CHUNKS = 200
const MAX_HEADER_BYTES = 2 ** 20
/** Placeholder of a size that is in another chunk (RF64) or was unknown to the writer. */
const SIZE_UNKNOWN = 0xffffffff

/** Location of the sample data in the file. */
interface SampleData {
  readonly startByte: number
  readonly declaredBytes: number | undefined
}

/** Opens a WAV file, which is read in chunks. Undefined if the file is not WAV. RF64 (EBU Tech 3306) is WAV with sizes over 4 GiB. */
export async function openWav(blob: Blob): Promise<SampleSource | SourceFailure | undefined> {
  const riffHeader = await viewOf(blob, 0, 12)
  if (riffHeader.byteLength < 12 || !['RIFF', 'RF64', 'BW64'].includes(idAt(riffHeader, 0)) || idAt(riffHeader, 8) !== 'WAVE')
    return undefined
  const { format, samples, tags } = await readChunks(blob)
  if (format === undefined || !isPlayableRate(format.sampleRate)) return 'undecodable'
  if (format.channels < 1 || format.channels > MAX_CHANNELS) return 'undecodable'
  if (samples === undefined) return 'no-sound'

  const isSupported = isWavRead(format)
  const frameBytes = isSupported ? (format.bitsPerSample / 8) * format.channels : 1
  const availableBytes = Math.min(samples.declaredBytes ?? Number.POSITIVE_INFINITY, blob.size - samples.startByte)
  const frames = Math.floor(availableBytes / frameBytes)
  if (frames === 0) return 'no-sound'
  return {
    facts: {
      codec: 'other',
      isUncompressed: isSupported,
      isStreamable: isSupported,
      sampleRate: format.sampleRate,
      channels: format.channels,
      // The number of compressed samples is estimated at 4 bits each, the smallest size; the browser can decode some of these formats.
      expectedFrames: isSupported ? frames : Math.ceil((2 * availableBytes) / format.channels),
      declaredFrames: isSupported && samples.declaredBytes !== undefined ? Math.floor(samples.declaredBytes / frameBytes) : undefined,
      title: tags.title,
      artist: tags.artist,
    },
    ...(isSupported && { chunks: () => readFrames(blob.slice(samples.startByte), format, frames, frameBytes) }),
  }
}

async function* readFrames(data: Blob, format: WavFormat, frames: number, frameBytes: number) {
  const readChunk = (startFrame: number) => viewOf(data, startFrame * frameBytes, Math.min(frames, startFrame + CHUNK_FRAMES) * frameBytes)
  let nextChunk = readChunk(0)
  for (let startFrame = 0; startFrame < frames; startFrame += CHUNK_FRAMES) {
    const chunk = await nextChunk
    if (startFrame + CHUNK_FRAMES < frames) {
      // The browser's process reads the next chunk while this one is converted.
      nextChunk = readChunk(startFrame + CHUNK_FRAMES)
      // The rejection is handled here, because it is thrown when the chunk is awaited.
      nextChunk.catch(() => {})
    }
    const channels = readWavSamples(format, chunk)
    if (canBeInvalid(format)) for (const samples of channels) silenceInvalidSamples(samples)
    yield channels
  }
}

/** Replaces NaN, infinities and excessive floats by silence: a single one would make all later output of a filter invalid. */
function silenceInvalidSamples(samples: Float32Array) {
  for (let frame = 0; frame < samples.length; frame++) if (!(Math.abs(samples[frame] ?? 0) <= MAX_LEVEL)) samples[frame] = 0
}

async function readChunks(blob: Blob) {
  let format: WavFormat | undefined
  let samples: SampleData | undefined
  let tags: WavTags = {}
  let at = 12
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= blob.size; count++) {
    const riffHeader = await viewOf(blob, at, at + 8)
    const [id, size] = [idAt(riffHeader, 0), riffHeader.getUint32(4, true)]
    const start = at + 8
    at = start + size + (size & 1)
    if (id === 'data') {
      const declaredBytes = size === SIZE_UNKNOWN ? undefined : size
      samples ??= { startByte: start, declaredBytes }
      if (declaredBytes === undefined) break
    } else if (id === 'fmt ' || id === 'LIST') {
      const content = await viewOf(blob, start, Math.min(start + size, start + MAX_HEADER_BYTES))
      if (id === 'fmt ' && content.byteLength >= 16) format ??= readWavFormat(content)
      else if (id === 'LIST' && content.byteLength >= 4 && idAt(content, 0) === 'INFO') tags = readWavTags(content)
    }
  }
  return { format, samples, tags }
}

const viewOf = async (blob: Blob, start: number, end: number) => new DataView(await blob.slice(start, end).arrayBuffer())

const idAt = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
