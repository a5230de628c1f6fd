import { silenceInvalidSamples } from '../../../dsp/levels.ts'
import { canBeNonFinite, isDecodableWav, readWavSamples, type WavFormat } from '../../../dsp/read-wav.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** Uncompressed samples in a file, interleaved. */
export interface PcmData {
  readonly format: WavFormat
  readonly start: number
  /** The end of the samples according to the headers; `undefined` if they extend to the end of the file. */
  readonly declaredEnd: number | undefined
}

/** The number of frames that are read at a time. Each read of a blob waits for the browser's process. */
const CHUNK_FRAMES = 2 ** 18

/** Creates a source of uncompressed samples, which are read in chunks. */
export function createPcmSource(blob: Blob, data: PcmData): SampleSource | SourceFailure {
  const { format, start, declaredEnd = blob.size } = data
  const { sampleRate, channels, bitsPerSample, channelMask } = format
  if (!isDecodableWav(format) || !isPlayableRate(sampleRate) || channels < 1 || channels > MAX_CHANNELS) return 'undecodable'
  const frameBytes = (bitsPerSample / 8) * channels
  const countFramesUpTo = (end: number) => Math.floor((end - start) / frameBytes)
  const frameCount = countFramesUpTo(Math.min(declaredEnd, blob.size))
  if (!(frameCount > 0)) return 'no-sound'
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: true,
      isUncompressed: true,
      isStreamable: true,
      sampleRate,
      channels,
      channelMask,
      expectedFrames: frameCount,
      declaredFrames: frameCount,
      isCut: countFramesUpTo(declaredEnd) > frameCount,
    },
    chunks: () => readFrames(blob.slice(start), format, frameCount, frameBytes),
  }
}

async function* readFrames(samples: Blob, format: WavFormat, frameCount: number, frameBytes: number) {
  const readChunk = (startFrame: number) =>
    readDataView(samples, startFrame * frameBytes, Math.min(frameCount, startFrame + CHUNK_FRAMES) * frameBytes)
  let nextChunk = readChunk(0)
  for (let startFrame = 0; startFrame < frameCount; startFrame += CHUNK_FRAMES) {
    const chunkBuffer = await nextChunk
    if (startFrame + CHUNK_FRAMES < frameCount) {
      // The browser's process reads the next chunk while this one is converted.
      nextChunk = readChunk(startFrame + CHUNK_FRAMES)
      // The rejection is handled here, because it is thrown when the chunk is awaited.
      nextChunk.catch(() => {})
    }
    const channels = readWavSamples(format, chunkBuffer)
    if (canBeNonFinite(format)) for (const channelSamples of channels) silenceInvalidSamples(channelSamples)
    yield channels
  }
}

export const readDataView = async (blob: Blob, start: number, end: number) => new DataView(await blob.slice(start, end).arrayBuffer())

/** Returns the four characters of a chunk's type. */
export const readChunkType = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
