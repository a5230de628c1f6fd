import { SEGMENT_FRAMES } from '../../dsp/kernel.ts'

export interface OutputSegment {
  readonly index: number
  readonly firstFrame: number
  readonly frames: number
}

/**
 * Assigns the segments of an output to workers, in order, in runs of consecutive segments. @param workerOfRun workers of an earlier pass: each run is assigned to the same worker again,
 * instead of the first idle one
 */
export function createSegmentAssignment(frames: number, runSegments: number, workerOfRun?: readonly number[]) {
  const segmentCount = Math.ceil(frames / SEGMENT_FRAMES)
  const runCount = Math.ceil(segmentCount / runSegments)
  const workerOfSegment: number[] = []
  /** The remaining segments of each worker's current run, by the index of the worker. */
  const currentRuns: { next: number; end: number }[] = []
  let nextRun = 0

  function takeRun(workerIndex: number): { next: number; end: number } | undefined {
    let runIndex = nextRun
    if (workerOfRun !== undefined) {
      runIndex = workerOfRun.indexOf(workerIndex, workerOfSegment.lastIndexOf(workerIndex) + 1)
      if (runIndex < 0) return undefined
    } else if (runIndex >= runCount) return undefined
    nextRun = runIndex + 1
    workerOfSegment[runIndex] = workerIndex
    return { next: runIndex * runSegments, end: Math.min(segmentCount, (runIndex + 1) * runSegments) }
  }

  return {
    /** The index of the worker that took each run of segments. */
    workerOfRun: workerOfSegment,
    /** Returns the next segment for the worker with the index `workerIndex`; undefined if none is left. */
    take(workerIndex: number) {
      let run = currentRuns[workerIndex]
      if (run === undefined || run.next >= run.end) run = takeRun(workerIndex)
      if (run === undefined) return undefined
      currentRuns[workerIndex] = run
      const index = run.next++
      const firstFrame = index * SEGMENT_FRAMES
      return { index, firstFrame, frames: Math.min(SEGMENT_FRAMES, frames - firstFrame) }
    },
  }
}
