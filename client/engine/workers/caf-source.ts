import type { WavFormat } from '../../../dsp/read-wav.ts'
import { createPcmSource, readChunkType, readDataView } from './pcm-source.ts'
import type { SampleSource, SourceFailure } from './sample-source.ts'

const MAX_CHUNKS = 200
const DESCRIPTION_BYTES = 32
const PCM_TAG = 1
const FLOAT_TAG = 3
const FLOAT_FLAG = 1
const LITTLE_ENDIAN_FLAG = 2

/** Opens a Core Audio Format file ("Apple Core Audio Format Specification 1.0") of linear PCM. Undefined if the file is of another type. */
export async function openCaf(blob: Blob): Promise<SampleSource | SourceFailure | undefined> {
  const header = await readDataView(blob, 0, 8)
  if (header.byteLength < 8 || readChunkType(header, 0) !== 'caff') return undefined
  let description: DataView | undefined
  let samples: { readonly start: number; readonly declaredEnd: number | undefined } | undefined
  for (let chunkStart = 8, chunkCount = 0; chunkCount < MAX_CHUNKS && chunkStart + 12 <= blob.size; chunkCount++) {
    const chunkHeader = await readDataView(blob, chunkStart, chunkStart + 12)
    const [id, bytes] = [readChunkType(chunkHeader, 0), Number(chunkHeader.getBigInt64(4))]
    const start = chunkStart + 12
    if (id === 'desc') description ??= await readDataView(blob, start, start + DESCRIPTION_BYTES)
    // The samples follow the field for the number of edits. If the size is -1 or was never filled in, the samples extend to the end of the
    // file.
    if (id === 'data') samples ??= { start: start + 4, declaredEnd: bytes <= 4 ? undefined : start + bytes }
    if (bytes < 0) break
    chunkStart = start + bytes
  }
  if (description?.byteLength !== DESCRIPTION_BYTES) return 'undecodable'
  if (readChunkType(description, 8) !== 'lpcm') return 'unsupported-codec'
  const flags = description.getUint32(12)
  const channels = description.getUint32(24)
  const format: WavFormat = {
    formatTag: (flags & FLOAT_FLAG) === 0 ? PCM_TAG : FLOAT_TAG,
    channels,
    sampleRate: description.getFloat64(0),
    bitsPerSample: (8 * description.getUint32(16)) / channels,
    isBigEndian: (flags & LITTLE_ENDIAN_FLAG) === 0,
    isSigned8Bit: true,
  }
  if (samples === undefined) return 'no-sound'
  return createPcmSource(blob, { format, ...samples })
}
