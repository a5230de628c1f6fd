import type { LevelProfile } from './level-meter.ts'
import { computeIntegratedLufs } from './loudness.ts'

/** A gain that changes over time: linear between points at the starts of blocks. */
export interface GainCurve {
  readonly blockFrames: number
  /** The block of the first point. */
  readonly firstBlock: number
  readonly points: Float32Array<ArrayBuffer>
}

/** The highest true peak of a limited sound. */
export const CEILING_DBTP = -1
/**
 * The margin by which the limiter stays below the ceiling, because the peaks of a sound with a changing gain are not exactly the original
 * peaks times the gain.
 */
const CEILING_MARGIN_DB = 0.15
/** The time before a peak in which the gain falls, in blocks: 10 ms. */
const ATTACK_BLOCK_COUNT = 4
/** The share of the remaining distance to the full gain by which the gain recovers in each block: a time constant of 80 ms. */
const GAIN_RECOVERY_PER_BLOCK = 0.03
/** The largest gain, which keeps noise of quiet recordings low. */
const MAX_GAIN_DB = 20
const MAX_GAIN_SEARCH_STEPS = 8
const LOUDNESS_TOLERANCE_LU = 0.02

/**
 * Returns the gain that brings a sound to a loudness: one factor, reduced around the peaks that would exceed the ceiling. Because this
 * reduction also lowers the loudness, the factor is found by iteration. A silent sound has the gain 1.
 */
export function findGainForLoudness(profile: LevelProfile, targetLufs: number): GainCurve {
  const { blockFrames } = profile
  let gainDb = targetLufs - computeIntegratedLufs(profile)
  let gainPoints = computeLimitedGains(profile, 1)
  if (Number.isFinite(gainDb))
    for (let stepIndex = 0; stepIndex < MAX_GAIN_SEARCH_STEPS; stepIndex++) {
      gainDb = Math.min(MAX_GAIN_DB, gainDb)
      gainPoints = computeLimitedGains(profile, 10 ** (gainDb / 20))
      const missingLu = targetLufs - computeIntegratedLufs(profile, gainPoints)
      if (Math.abs(missingLu) < LOUDNESS_TOLERANCE_LU) break
      gainDb += missingLu
    }
  return { blockFrames, firstBlock: 0, points: gainPoints }
}

/** Returns gains with which no peak exceeds the ceiling: one at the start of each block, and one at the end of the last block. */
function computeLimitedGains({ peaks }: LevelProfile, gainFactor: number): Float32Array<ArrayBuffer> {
  const ceilingLevel = 10 ** ((CEILING_DBTP - CEILING_MARGIN_DB) / 20)
  const pointCount = peaks.length + 1
  const computeAllowedGain = (block: number) => Math.min(1, ceilingLevel / (gainFactor * (peaks[block] ?? 0)))
  // A point is a boundary of two blocks. Its gain limits both blocks, and must be reached already when the attack begins.
  const allowedGains = Float32Array.from({ length: pointCount }, (_, point) =>
    Math.min(computeAllowedGain(point - 1), computeAllowedGain(point)),
  )
  const releasedGains = new Float32Array(pointCount)
  let previousGain = 1
  for (let pointIndex = 0; pointIndex < pointCount; pointIndex++) {
    let lowestGain = 1
    for (let next = pointIndex; next <= Math.min(pointCount - 1, pointIndex + ATTACK_BLOCK_COUNT); next++)
      lowestGain = Math.min(lowestGain, allowedGains[next] as number)
    previousGain = Math.min(lowestGain, previousGain + (1 - previousGain) * GAIN_RECOVERY_PER_BLOCK)
    releasedGains[pointIndex] = previousGain
  }
  // Each of the averaged gains is low enough for this point, and so is their mean. Averaging turns the steps between gains into slopes.
  return Float32Array.from({ length: pointCount }, (_, pointIndex) => {
    let gainSum = 0
    for (let earlier = pointIndex - ATTACK_BLOCK_COUNT; earlier <= pointIndex; earlier++)
      gainSum += releasedGains[Math.max(0, earlier)] as number
    return (gainFactor * gainSum) / (ATTACK_BLOCK_COUNT + 1)
  })
}

/** Returns the part of a gain that applies to a range of frames. */
export function sliceGainCurve({ blockFrames, points }: GainCurve, firstFrame: number, frameCount: number): GainCurve {
  const firstBlock = Math.floor(firstFrame / blockFrames)
  return { blockFrames, firstBlock, points: points.slice(firstBlock, Math.floor((firstFrame + frameCount - 1) / blockFrames) + 2) }
}

/** Multiplies interleaved samples from `firstFrame` by a gain, in place. The result does not depend on where the range begins. */
export function applyGainCurve(
  samples: Float32Array,
  channelCount: number,
  firstFrame: number,
  { blockFrames, firstBlock, points }: GainCurve,
) {
  const frameCount = samples.length / channelCount
  for (let frameIndex = 0; frameIndex < frameCount; ) {
    const blockIndex = Math.floor((firstFrame + frameIndex) / blockFrames)
    const [startGain = 0, endGain = startGain] = points.subarray(blockIndex - firstBlock, blockIndex - firstBlock + 2)
    const blockStart = blockIndex * blockFrames
    for (; frameIndex < frameCount && firstFrame + frameIndex < blockStart + blockFrames; frameIndex++) {
      const gain = startGain + ((endGain - startGain) * (firstFrame + frameIndex - blockStart)) / blockFrames
      for (let channel = 0; channel < channelCount; channel++)
        samples[channelCount * frameIndex + channel] = (samples[channelCount * frameIndex + channel] as number) * gain
    }
  }
}
