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
  const headerView = await readDataView(blob, 0, 8)
  if (headerView.byteLength < 8 || readChunkType(headerView, 0) !== 'caff') return undefined
  let descriptionView: DataView | undefined
  let sampleRange: { readonly start: number; readonly declaredEnd: number | undefined } | undefined
  for (let chunkStart = 8, chunkCount = 0; chunkCount < MAX_CHUNKS && chunkStart + 12 <= blob.size; chunkCount++) {
    const chunkHeader = await readDataView(blob, chunkStart, chunkStart + 12)
    const [chunkType, chunkBytes] = [readChunkType(chunkHeader, 0), Number(chunkHeader.getBigInt64(4))]
    const contentStart = chunkStart + 12
    if (chunkType === 'desc') descriptionView ??= await readDataView(blob, contentStart, contentStart + DESCRIPTION_BYTES)
    // The samples follow the field for the number of edits. If the size is -1 or was never filled in, the samples extend to the end of the
    // file.
    if (chunkType === 'data')
      sampleRange ??= { start: contentStart + 4, declaredEnd: chunkBytes <= 4 ? undefined : contentStart + chunkBytes }
    if (chunkBytes < 0) break
    chunkStart = contentStart + chunkBytes
  }
  if (descriptionView?.byteLength !== DESCRIPTION_BYTES) return 'undecodable'
  if (readChunkType(descriptionView, 8) !== 'lpcm') return 'unsupported-codec'
  const formatFlags = descriptionView.getUint32(12)
  const channelCount = descriptionView.getUint32(24)
  const format: WavFormat = {
    formatTag: (formatFlags & FLOAT_FLAG) === 0 ? PCM_TAG : FLOAT_TAG,
    channels: channelCount,
    sampleRate: descriptionView.getFloat64(0),
    bitsPerSample: (8 * descriptionView.getUint32(16)) / channelCount,
    isBigEndian: (formatFlags & LITTLE_ENDIAN_FLAG) === 0,
    isSigned8Bit: true,
  }
  if (sampleRange === undefined) return 'no-sound'
  return createPcmSource(blob, { format, ...sampleRange })
}
