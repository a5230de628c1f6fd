import { isDecodableWav, parseWav } from '../../../dsp/read-wav.ts'
import { createBlobSource } from '../blob-source.ts'
import { createPcmSource } from './pcm-source.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/** Opens a WAV file, which is read in chunks. Undefined if the file is not WAV. */
export async function openWav(blob: Blob): Promise<SampleSource | SourceFailure | undefined> {
  const wavFile = await parseWav(createBlobSource(blob))
  if (wavFile === undefined) return undefined
  const { format, data } = wavFile
  if (format === undefined || !isPlayableRate(format.sampleRate)) return 'undecodable'
  if (format.channels < 1 || format.channels > MAX_CHANNELS) return 'undecodable'
  if (data === undefined || data.end <= data.start) return 'no-sound'
  if (data.isEncodedStream) return 'unsupported-codec'
  if (isDecodableWav(format)) return createPcmSource(blob, { format, ...data })
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: false,
      isUncompressed: false,
      isStreamable: false,
      sampleRate: format.sampleRate,
      channels: format.channels,
      channelMask: format.channelMask,
      // The number of frames of a compressed file, which some browsers decode, is estimated from the smallest size of a sample, 4 bits.
      expectedFrames: Math.ceil((2 * (data.end - data.start)) / format.channels),
      declaredFrames: undefined,
    },
  }
}
