import { isWavRead, readWavFormat, readWavSamples, readWavTags, type WavFormat } from '../../dsp/read-wav.ts'
import type { WavTags } from '../../dsp/wav.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

const CHUNK_FRAMES = 2 ** 15
/** Of full scale; no sound is a million times as loud, and single precision goes on to 2^128. */
const MAX_LEVEL = 2 ** 64
/** Files have a dozen; a damaged one may seem to have millions. */
const MAX_CHUNKS = 200
const MAX_HEADER_BYTES = 2 ** 20
/** Instead of a size: it stands in another chunk (RF64), or was never known. */
const SIZE_UNKNOWN = 0xffffffff

interface Samples {
  readonly startByte: number
  readonly declaredBytes: number | undefined
}

/** A WAV file, read from its blob in small pieces. Undefined where it is none. RF64 (EBU Tech 3306) is the same with sizes over 4 GiB. */
export async function openWav(blob: Blob): Promise<SampleSource | SourceFailure | undefined> {
  const head = await viewOf(blob, 0, 12)
  if (head.byteLength < 12 || !['RIFF', 'RF64', 'BW64'].includes(idAt(head, 0)) || idAt(head, 8) !== 'WAVE') return undefined
  const { format, samples, tags } = await readChunks(blob)
  if (format === undefined || !isPlayableRate(format.sampleRate)) return 'undecodable'
  if (format.channels < 1 || format.channels > MAX_CHANNELS) return 'undecodable'
  if (samples === undefined) return 'no-sound'

  const read = isWavRead(format)
  const frameBytes = read ? (format.bitsPerSample / 8) * format.channels : 1
  const availableBytes = Math.min(samples.declaredBytes ?? Number.POSITIVE_INFINITY, blob.size - samples.startByte)
  const frames = Math.floor(availableBytes / frameBytes)
  if (frames === 0) return 'no-sound'
  return {
    facts: {
      plain: read,
      streamable: read,
      sampleRate: format.sampleRate,
      channels: format.channels,
      // Packed samples, of which the browser's decoder knows some kinds, have 4 bits or more.
      expectedFrames: read ? frames : Math.ceil((2 * availableBytes) / format.channels),
      declaredFrames: read && samples.declaredBytes !== undefined ? Math.floor(samples.declaredBytes / frameBytes) : undefined,
      title: tags.title,
      artist: tags.artist,
    },
    ...(read && { chunks: () => readFrames(blob.slice(samples.startByte), format, frames, frameBytes) }),
  }
}

async function* readFrames(data: Blob, format: WavFormat, frames: number, frameBytes: number) {
  for (let start = 0; start < frames; start += CHUNK_FRAMES) {
    const end = Math.min(frames, start + CHUNK_FRAMES)
    const channels = readWavSamples(format, await viewOf(data, start * frameBytes, end * frameBytes))
    for (const samples of channels) silenceDamage(samples)
    yield channels
  }
}

/** One float that is no number, or so large that sums of it are none, would silence all that a filter makes of it. */
function silenceDamage(samples: Float32Array) {
  for (let frame = 0; frame < samples.length; frame++) if (!(Math.abs(samples[frame] ?? 0) <= MAX_LEVEL)) samples[frame] = 0
}

async function readChunks(blob: Blob) {
  let format: WavFormat | undefined
  let samples: Samples | undefined
  let tags: WavTags = {}
  let at = 12
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= blob.size; count++) {
    const head = await viewOf(blob, at, at + 8)
    const [id, size] = [idAt(head, 0), head.getUint32(4, true)]
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
