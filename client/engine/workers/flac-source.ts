import { buildFlacDescription, type FlacRun, scanFlac } from '../../../dsp/flac-packets.ts'
import { findCodecChannelMask } from '../../../dsp/mix-down.ts'
import { createBlobSource } from '../blob-source.ts'
import type { Channels } from './calls.ts'
import { copyPlanes } from './copy-planes.ts'
import { joinSources } from './joined-source.ts'
import { decodePackets, isDecodable } from './packet-decoder.ts'
import { isPlayableRate, MAX_CHANNELS, type SampleSource, type SourceFailure } from './sample-source.ts'

/**
 * Opens a FLAC file (RFC 9639) by searching for its packets, instead of relying on the lengths and offsets in its headers. Never rejects.
 */
export async function openFlac(blob: Blob): Promise<SampleSource | SourceFailure> {
  try {
    const runs = await scanFlac(createBlobSource(blob))
    if (runs.length === 0) return 'no-sound'
    return await joinSources(runs.map((run) => () => openRun(blob, run)))
  } catch {
    return 'undecodable'
  }
}

async function openRun(blob: Blob, run: FlacRun): Promise<SampleSource | SourceFailure> {
  const { sampleRate, channels, frames: announcedFrames } = run.format
  if (!isPlayableRate(sampleRate) || channels > MAX_CHANNELS) return 'undecodable'
  const decoderConfig = { codec: 'flac', sampleRate, numberOfChannels: channels, description: buildFlacDescription(run.format) }
  const isStreamable = await isDecodable(decoderConfig)
  return {
    facts: {
      codec: 'other',
      isWorkerPreferred: true,
      isUncompressed: false,
      isStreamable,
      sampleRate,
      channels,
      channelMask: findCodecChannelMask(channels),
      expectedFrames: run.frames,
      declaredFrames: run.frames,
      isCut: announcedFrames > run.frames && !run.hasGaps,
      hasGaps: run.hasGaps,
    },
    ...(isStreamable && { chunks: () => decodeRun(blob, run, decoderConfig) }),
  }
}

async function* decodeRun(blob: Blob, run: FlacRun, config: AudioDecoderConfig): AsyncGenerator<Channels> {
  for await (const audioSample of decodePackets(blob, run, config)) {
    try {
      yield copyPlanes(audioSample, 0, audioSample.numberOfFrames)
    } finally {
      audioSample.close()
    }
  }
}
