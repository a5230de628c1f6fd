import type { Biquad } from './biquad.ts'
import { designKWeighting } from './k-weighting.ts'
import { createPeakOversampler } from './true-peak.ts'

/** The levels of a sound in blocks of 2.5 ms. Loudness and gains are computed from these levels, without the samples. */
export interface LevelProfile {
  readonly blockFrames: number
  /** The sum of the squared K-weighted samples of each block, over all channels (Recommendation ITU-R BS.1770-5, annex 1). */
  readonly power: Float32Array<ArrayBuffer>
  /** The true peak of each block, up to the first frame of the next one; full scale is 1. */
  readonly peaks: Float32Array<ArrayBuffer>
}

const BLOCKS_PER_SECOND = 400

export interface MeteredSound {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly frames: number
}

/** Measures a sound whose samples arrive in succession, interleaved. The only memory that grows with the sound is that of the profile. */
export function createLevelMeter({ sampleRate, channels, frames }: MeteredSound) {
  const blockFrames = Math.max(1, Math.round(sampleRate / BLOCKS_PER_SECOND))
  const blockCount = Math.ceil(frames / blockFrames)
  const profile: LevelProfile = { blockFrames, power: new Float32Array(blockCount), peaks: new Float32Array(blockCount) }
  const channelMeters = Array.from({ length: channels }, () => ({
    addPower: createPowerMeter(designKWeighting(sampleRate), profile),
    oversampler: createPeakOversampler(profile),
  }))
  return {
    add(interleavedSamples: Float32Array) {
      channelMeters.forEach(({ addPower, oversampler }, channelIndex) => {
        const samples = new Float32Array(interleavedSamples.length / channels)
        for (let frame = 0; frame < samples.length; frame++) samples[frame] = interleavedSamples[channels * frame + channelIndex] as number
        addPower(samples)
        oversampler.add(samples)
      })
    },
    finish(): LevelProfile {
      for (const { oversampler } of channelMeters) oversampler.finish()
      return profile
    },
  }
}

/** Returns a function that adds the squares of filtered samples to their blocks. Both filters continue from call to call. */
function createPowerMeter([firstFilter, secondFilter]: readonly [Biquad, Biquad], { blockFrames, power }: LevelProfile) {
  let nextFrame = 0
  let firstState = 0
  let firstDelayedState = 0
  let secondState = 0
  let secondDelayedState = 0
  return (samples: Float32Array) => {
    for (let index = 0; index < samples.length; ) {
      const blockIndex = Math.floor(nextFrame / blockFrames)
      const endIndex = Math.min(samples.length, index + (blockIndex + 1) * blockFrames - nextFrame)
      nextFrame += endIndex - index
      let powerSum = 0
      for (; index < endIndex; index++) {
        const inputSample = samples[index] as number
        const shelvedSample = firstFilter.b0 * inputSample + firstState
        firstState = firstFilter.b1 * inputSample - firstFilter.a1 * shelvedSample + firstDelayedState
        firstDelayedState = firstFilter.b2 * inputSample - firstFilter.a2 * shelvedSample
        const weightedSample = secondFilter.b0 * shelvedSample + secondState
        secondState = secondFilter.b1 * shelvedSample - secondFilter.a1 * weightedSample + secondDelayedState
        secondDelayedState = secondFilter.b2 * shelvedSample - secondFilter.a2 * weightedSample
        powerSum += weightedSample * weightedSample
      }
      power[blockIndex] = (power[blockIndex] ?? 0) + powerSum
    }
  }
}
