import { mixDown } from '../../../dsp/mix-down.ts'
import { resample } from '../../../dsp/reference/resample.ts'
import { designResampler, MAX_RATE, MIN_RATE } from '../../../dsp/resampler-design.ts'
import { countOutputFrames } from '../../../dsp/resampler-grid.ts'
import type { Channels } from './calls.ts'
import type { SampleSource, SourceFailure } from './sample-source.ts'

/**
 * Joins the parts of a file whose format changes between parts, for example joined songs or a recorded radio stream. All parts are
 * converted to the sampling rate and the number of channels of the first part.
 */
export async function joinSources(
  openers: readonly (() => Promise<SampleSource | SourceFailure>)[],
): Promise<SampleSource | SourceFailure> {
  const openedSources: (SampleSource | SourceFailure)[] = []
  for (const open of openers) openedSources.push(await open())
  const sources = openedSources.filter((source) => typeof source !== 'string')
  const [firstSource] = sources
  if (firstSource === undefined || openedSources.length === 1) return openedSources[0] ?? 'no-sound'
  const rateOf = ({ facts }: SampleSource) => facts.sampleRate / firstSource.facts.sampleRate
  const playable = sources.filter((source) => source.chunks !== undefined && rateOf(source) >= MIN_RATE && rateOf(source) <= MAX_RATE)
  const framesOf = (select: (source: SampleSource) => number | undefined) =>
    sources.reduce((sum, source) => sum + countOutputFrames(select(source) ?? 0, rateOf(source)), 0)
  const isStreamable = firstSource.chunks !== undefined
  return {
    facts: {
      ...firstSource.facts,
      codec: 'other',
      isWorkerPreferred: isStreamable,
      isStreamable,
      expectedFrames: framesOf(({ facts }) => facts.expectedFrames),
      declaredFrames: framesOf(({ facts }) => facts.declaredFrames),
      isCut: sources.some(({ facts }) => facts.isCut === true),
      hasGaps: playable.length < openedSources.length || sources.some(({ facts }) => facts.hasGaps === true),
    },
    ...(isStreamable && { chunks: () => joinChunks(playable, firstSource) }),
  }
}

async function* joinChunks(sources: readonly SampleSource[], { facts: { sampleRate, channels } }: SampleSource) {
  for (const { facts, chunks } of sources) {
    const toOutput = (chunk: Channels) => withChannels(mixDown(chunk, facts.channelMask), Math.min(2, channels))
    const outputChunks: Channels[] = []
    for await (const chunk of chunks?.() ?? []) {
      if (facts.sampleRate === sampleRate) yield toOutput(chunk)
      else outputChunks.push(toOutput(chunk))
    }
    if (outputChunks.length > 0) yield joinResampled(outputChunks, facts.sampleRate / sampleRate)
  }
}

/** Returns one channel as two, or the mean of two channels as one. */
function withChannels(channels: Channels, channelCount: number): Channels {
  const [left, right] = channels
  if (left === undefined || channels.length === channelCount) return channels
  if (channelCount === 2) return [left, left.slice()]
  return [left.map((sample, frame) => (sample + (right?.[frame] ?? 0)) / 2)]
}

/** Changes the sampling rate of a part of the file as a whole. @param rate source frames for each frame of the result */
function joinResampled(outputChunks: readonly Channels[], rate: number): Channels {
  const frames = outputChunks.reduce((sum, [samples]) => sum + (samples?.length ?? 0), 0)
  const design = designResampler(rate)
  return (outputChunks[0] ?? []).map((_, channelIndex) => {
    const samples = new Float32Array(frames)
    let offset = 0
    for (const part of outputChunks) {
      samples.set(part[channelIndex] ?? [], offset)
      offset += part[channelIndex]?.length ?? 0
    }
    const output = new Float32Array(countOutputFrames(frames, rate))
    resample(design, { channels: [samples], startFrame: 0 }, 0, output)
    return output
  })
}
