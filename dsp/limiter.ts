import type { LevelProfile } from './level-meter.ts'
import { integratedLufs } from './loudness.ts'

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
const MARGIN_DB = 0.15
/** The time before a peak in which the gain falls, in blocks: 10 ms. */
const ATTACK_BLOCK_COUNT = 4
/** The share of the remaining distance to the full gain by which the gain recovers in each block: a time constant of 80 ms. */
const GAIN_RECOVERY_PER_BLOCK = 0.03
/** The largest gain, which keeps noise of quiet recordings low. */
const MAX_GAIN_DB = 20
const MAX_STEPS = 8
const TOLERANCE_LU = 0.02

/**
 * Returns the gain that brings a sound to a loudness: one factor, reduced around the peaks that would exceed the ceiling. Because this
 * reduction also lowers the loudness, the factor is found by iteration. A silent sound has the gain 1.
 */
export function findGainForLoudness(profile: LevelProfile, targetLufs: number): GainCurve {
  const { blockFrames } = profile
  let gainDb = targetLufs - integratedLufs(profile)
  let points = limitedGains(profile, 1)
  if (Number.isFinite(gainDb))
    for (let step = 0; step < MAX_STEPS; step++) {
      gainDb = Math.min(MAX_GAIN_DB, gainDb)
      points = limitedGains(profile, 10 ** (gainDb / 20))
      const missingLu = targetLufs - integratedLufs(profile, points)
      if (Math.abs(missingLu) < TOLERANCE_LU) break
      gainDb += missingLu
    }
  return { blockFrames, firstBlock: 0, points }
}

/** Returns gains with which no peak exceeds the ceiling: one at the start of each block, and one at the end of the last block. */
function limitedGains({ peaks }: LevelProfile, gain: number): Float32Array<ArrayBuffer> {
  const ceiling = 10 ** ((CEILING_DBTP - MARGIN_DB) / 20)
  const pointCount = peaks.length + 1
  const allowedGainIn = (block: number) => Math.min(1, ceiling / (gain * (peaks[block] ?? 0)))
  // The gain at a point limits the blocks on both of its sides, and must be reached already when the attack begins.
  const allowedGains = Float32Array.from({ length: pointCount }, (_, point) => Math.min(allowedGainIn(point - 1), allowedGainIn(point)))
  const releasedGains = new Float32Array(pointCount)
  let previousGain = 1
  for (let point = 0; point < pointCount; point++) {
    let lowest = 1
    for (let next = point; next <= Math.min(pointCount - 1, point + ATTACK_BLOCK_COUNT); next++)
      lowest = Math.min(lowest, allowedGains[next] as number)
    previousGain = Math.min(lowest, previousGain + (1 - previousGain) * GAIN_RECOVERY_PER_BLOCK)
    releasedGains[point] = previousGain
  }
  // Each of the averaged gains is low enough for this point, and so is their mean. Averaging turns the steps between gains into slopes.
  return Float32Array.from({ length: pointCount }, (_, point) => {
    let sum = 0
    for (let earlier = point - ATTACK_BLOCK_COUNT; earlier <= point; earlier++) sum += releasedGains[Math.max(0, earlier)] as number
    return (gain * sum) / (ATTACK_BLOCK_COUNT + 1)
  })
}

/** Returns the part of a gain that applies to a range of frames. */
export function sliceGainCurve({ blockFrames, points }: GainCurve, firstFrame: number, frames: number): GainCurve {
  const firstBlock = Math.floor(firstFrame / blockFrames)
  return { blockFrames, firstBlock, points: points.slice(firstBlock, Math.floor((firstFrame + frames - 1) / blockFrames) + 2) }
}

/** Multiplies interleaved samples from `firstFrame` by a gain, in place. The result does not depend on where the range begins. */
export function applyGainCurve(
  samples: Float32Array,
  channels: number,
  firstFrame: number,
  { blockFrames, firstBlock, points }: GainCurve,
) {
  const frames = samples.length / channels
  for (let frame = 0; frame < frames; ) {
    const block = Math.floor((firstFrame + frame) / blockFrames)
    const [start = 0, end = start] = points.subarray(block - firstBlock, block - firstBlock + 2)
    const blockStart = block * blockFrames
    for (; frame < frames && firstFrame + frame < blockStart + blockFrames; frame++) {
      const gain = start + ((end - start) * (firstFrame + frame - blockStart)) / blockFrames
      for (let channel = 0; channel < channels; channel++)
        samples[channels * frame + channel] = (samples[channels * frame + channel] as number) * gain
    }
  }
}
