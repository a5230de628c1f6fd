import { isDecodableWav, readWavFormat, readWavTags, type WavFormat } from '../../../dsp/read-wav.ts'
import type { WavTags } from '../../../dsp/wav.ts'
import { createPcmSource, readChunkType, readDataView } from './pcm-source.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

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
  const riffHeader = await readDataView(blob, 0, 12)
  if (
    riffHeader.byteLength < 12 ||
    !['RIFF', 'RF64', 'BW64'].includes(readChunkType(riffHeader, 0)) ||
    readChunkType(riffHeader, 8) !== 'WAVE'
  )
    return undefined
  const { format, samples, tags } = await readChunks(blob)
  if (format === undefined || !isPlayableRate(format.sampleRate)) return 'undecodable'
  if (format.channels < 1 || format.channels > MAX_CHANNELS) return 'undecodable'
  if (samples === undefined) return 'no-sound'
  const { title, artist } = tags
  if (isDecodableWav(format)) return createPcmSource(blob, { format, ...samples, title, artist })

  const availableBytes = Math.min(samples.declaredBytes ?? Number.POSITIVE_INFINITY, blob.size - samples.startByte)
  if (availableBytes <= 0) return 'no-sound'
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: false,
      isUncompressed: false,
      isStreamable: false,
      sampleRate: format.sampleRate,
      channels: format.channels,
      // The number of compressed samples is estimated at 4 bits each, the smallest size; the browser can decode some of these formats.
      expectedFrames: Math.ceil((2 * availableBytes) / format.channels),
      declaredFrames: undefined,
      title,
      artist,
    },
  }
}

async function readChunks(blob: Blob) {
  let format: WavFormat | undefined
  let samples: SampleData | undefined
  let tags: WavTags = {}
  let at = 12
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= blob.size; count++) {
    const riffHeader = await readDataView(blob, at, at + 8)
    const [id, size] = [readChunkType(riffHeader, 0), riffHeader.getUint32(4, true)]
    const start = at + 8
    at = start + size + (size & 1)
    if (id === 'data') {
      const declaredBytes = size === SIZE_UNKNOWN ? undefined : size
      samples ??= { startByte: start, declaredBytes }
      if (declaredBytes === undefined) break
    } else if (id === 'fmt ' || id === 'LIST') {
      const content = await readDataView(blob, start, Math.min(start + size, start + MAX_HEADER_BYTES))
      if (id === 'fmt ' && content.byteLength >= 16) format ??= readWavFormat(content)
      else if (id === 'LIST' && content.byteLength >= 4 && readChunkType(content, 0) === 'INFO') tags = readWavTags(content)
    }
  }
  return { format, samples, tags }
}
