import type { LevelProfile } from './level-meter.ts'

/**
 * A gating block has 400 ms, which are four steps of 100 ms, and overlaps the next one by 75 % (Recommendation ITU-R BS.1770-5, annex
 * 1).
 */
const BLOCKS_PER_STEP = 40
const STEPS_PER_GATING_BLOCK = 4
const ABSOLUTE_GATE_LUFS = -70
const RELATIVE_GATE_LU = -10

/** The level of a sound. */
export interface Level {
  /** Integrated loudness; `-Infinity` if the sound is silent or shorter than 400 ms. */
  readonly lufs: number
  readonly truePeakDb: number
}

/**
 * Returns the integrated loudness of a sound after a gain.
 *
 * @param blockGains the gain at the start of each block, and at the end of the last one; by default 1
 */
export function computeIntegratedLufs({ power, blockFrames }: LevelProfile, blockGains?: Float32Array): number {
  const stepCount = Math.floor(power.length / BLOCKS_PER_STEP)
  const stepPower = new Float64Array(stepCount)
  for (let step = 0; step < stepCount; step++)
    for (let block = step * BLOCKS_PER_STEP; block < (step + 1) * BLOCKS_PER_STEP; block++)
      stepPower[step] =
        (stepPower[step] as number) + (power[block] as number) * (blockGains === undefined ? 1 : readGainOfBlock(blockGains, block) ** 2)
  const meanPowers: number[] = []
  for (let stepIndex = 0; stepIndex + STEPS_PER_GATING_BLOCK <= stepCount; stepIndex++) {
    let sum = 0
    for (let offset = 0; offset < STEPS_PER_GATING_BLOCK; offset++) sum += stepPower[stepIndex + offset] as number
    meanPowers.push(sum / (STEPS_PER_GATING_BLOCK * BLOCKS_PER_STEP * blockFrames))
  }
  const audible = meanPowers.filter((mean) => toLufs(mean) > ABSOLUTE_GATE_LUFS)
  const gate = toLufs(computeAverage(audible)) + RELATIVE_GATE_LU
  return toLufs(computeAverage(audible.filter((mean) => toLufs(mean) > gate)))
}

/** Returns the level of a sound after a gain. @param blockGains as for `computeIntegratedLufs` */
export function computeLevel(profile: LevelProfile, blockGains?: Float32Array): Level {
  let peakLevel = 0
  for (let block = 0; block < profile.peaks.length; block++)
    peakLevel = Math.max(peakLevel, (profile.peaks[block] as number) * (blockGains === undefined ? 1 : readGainOfBlock(blockGains, block)))
  return { lufs: computeIntegratedLufs(profile, blockGains), truePeakDb: 20 * Math.log10(peakLevel) }
}

const readGainOfBlock = (gains: Float32Array, block: number) => ((gains[block] as number) + (gains[block + 1] as number)) / 2

const computeAverage = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the loudness of a mean square; `-Infinity` for 0. */
const toLufs = (meanSquare: number) => (meanSquare > 0 ? 10 * Math.log10(meanSquare) - 0.691 : Number.NEGATIVE_INFINITY)
