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
  sourceOpeners: readonly (() => Promise<SampleSource | SourceFailure>)[],
): Promise<SampleSource | SourceFailure> {
  const openedSources: (SampleSource | SourceFailure)[] = []
  for (const open of sourceOpeners) openedSources.push(await open())
  const sampleSources = openedSources.filter((source) => typeof source !== 'string')
  const [firstSource] = sampleSources
  if (firstSource === undefined || openedSources.length === 1) return openedSources[0] ?? 'no-sound'
  const computeRateRatio = ({ facts }: SampleSource) => facts.sampleRate / firstSource.facts.sampleRate
  const playableSources = sampleSources.filter(
    (source) => source.chunks !== undefined && computeRateRatio(source) >= MIN_RATE && computeRateRatio(source) <= MAX_RATE,
  )
  const sumFrames = (select: (source: SampleSource) => number | undefined) =>
    sampleSources.reduce((sum, source) => sum + countOutputFrames(select(source) ?? 0, computeRateRatio(source)), 0)
  const isStreamable = firstSource.chunks !== undefined
  return {
    facts: {
      ...firstSource.facts,
      codec: 'other',
      isWorkerPreferred: isStreamable,
      isStreamable,
      expectedFrames: sumFrames(({ facts }) => facts.expectedFrames),
      declaredFrames: sumFrames(({ facts }) => facts.declaredFrames),
      isCut: sampleSources.some(({ facts }) => facts.isCut === true),
      hasGaps: playableSources.length < openedSources.length || sampleSources.some(({ facts }) => facts.hasGaps === true),
    },
    ...(isStreamable && { chunks: () => joinChunks(playableSources, firstSource) }),
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
  const [leftSamples, rightSamples] = channels
  if (leftSamples === undefined || channels.length === channelCount) return channels
  if (channelCount === 2) return [leftSamples, leftSamples.slice()]
  return [leftSamples.map((sample, frame) => (sample + (rightSamples?.[frame] ?? 0)) / 2)]
}

/** Changes the sampling rate of a part of the file as a whole. @param rateRatio source frames for each frame of the result */
function joinResampled(outputChunks: readonly Channels[], rateRatio: number): Channels {
  const frameCount = outputChunks.reduce((sum, [samples]) => sum + (samples?.length ?? 0), 0)
  const resamplerDesign = designResampler(rateRatio)
  return (outputChunks[0] ?? []).map((_, channelIndex) => {
    const joinedSamples = new Float32Array(frameCount)
    let writeOffset = 0
    for (const part of outputChunks) {
      joinedSamples.set(part[channelIndex] ?? [], writeOffset)
      writeOffset += part[channelIndex]?.length ?? 0
    }
    const output = new Float32Array(countOutputFrames(frameCount, rateRatio))
    resample(resamplerDesign, { channels: [joinedSamples], startFrame: 0 }, 0, output)
    return output
  })
}
