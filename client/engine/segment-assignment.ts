import { SEGMENT_FRAMES } from '../../dsp/kernel.ts'

export interface OutputSegment {
  readonly index: number
  readonly firstFrame: number
  readonly frames: number
}

/**
 * Assigns the segments of an output to workers, in order, in runs of consecutive segments. @param workerIndexByRun workers of an
 * earlier rendering of the same output: each run is assigned to the same worker again,
 * instead of the first idle one
 */
export function createSegmentAssignment(frameCount: number, segmentsPerRun: number, workerIndexByRun?: readonly number[]) {
  const segmentCount = Math.ceil(frameCount / SEGMENT_FRAMES)
  const runCount = Math.ceil(segmentCount / segmentsPerRun)
  const workerByRun: number[] = []
  /** The remaining segments of each worker's current run, by the index of the worker. */
  const currentRuns: { nextSegment: number; endSegment: number }[] = []
  let nextRunIndex = 0

  function takeRun(workerIndex: number): { nextSegment: number; endSegment: number } | undefined {
    let runIndex = nextRunIndex
    if (workerIndexByRun !== undefined) {
      runIndex = workerIndexByRun.indexOf(workerIndex, workerByRun.lastIndexOf(workerIndex) + 1)
      if (runIndex < 0) return undefined
    } else if (runIndex >= runCount) return undefined
    nextRunIndex = runIndex + 1
    workerByRun[runIndex] = workerIndex
    return { nextSegment: runIndex * segmentsPerRun, endSegment: Math.min(segmentCount, (runIndex + 1) * segmentsPerRun) }
  }

  return {
    /** The index of the worker that took each run of segments. */
    workerOfRun: workerByRun,
    /** Returns the next segment for the worker with the index `workerIndex`; undefined if none is left. */
    take(workerIndex: number) {
      let currentRun = currentRuns[workerIndex]
      if (currentRun === undefined || currentRun.nextSegment >= currentRun.endSegment) currentRun = takeRun(workerIndex)
      if (currentRun === undefined) return undefined
      currentRuns[workerIndex] = currentRun
      const index = currentRun.nextSegment++
      const firstFrame = index * SEGMENT_FRAMES
      return { index, firstFrame, frames: Math.min(SEGMENT_FRAMES, frameCount - firstFrame) }
    },
  }
}
