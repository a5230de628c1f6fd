import { SEGMENT_FRAMES } from '../../dsp/segments.ts'

export interface OutputSegment {
  readonly index: number
  readonly firstFrame: number
  readonly frames: number
}

/** The segments of an output, given to workers in the order of the sound, in runs of neighbours. */
export interface SegmentRuns {
  /** The next one for worker `worker` (from 0); undefined where none is left for it. */
  take(worker: number): OutputSegment | undefined
  /** Which worker took each run. */
  readonly owners: readonly number[]
}

/** @param owners gives each run to the worker that had it before, in place of the first that is free */
export function createSegmentRuns(frames: number, runSegments: number, owners?: readonly number[]): SegmentRuns {
  const length = Math.ceil(frames / SEGMENT_FRAMES)
  const runs = Math.ceil(length / runSegments)
  const taken: number[] = []
  /** Of each worker, the segments that are left of its run. */
  const current: { next: number; end: number }[] = []
  let nextRun = 0

  function takeRun(worker: number): { next: number; end: number } | undefined {
    let run = nextRun
    if (owners !== undefined) {
      run = owners.indexOf(worker, taken.lastIndexOf(worker) + 1)
      if (run < 0) return undefined
    } else if (run >= runs) return undefined
    nextRun = run + 1
    taken[run] = worker
    return { next: run * runSegments, end: Math.min(length, (run + 1) * runSegments) }
  }

  return {
    owners: taken,
    take(worker) {
      let run = current[worker]
      if (run === undefined || run.next >= run.end) run = takeRun(worker)
      if (run === undefined) return undefined
      current[worker] = run
      const index = run.next++
      const firstFrame = index * SEGMENT_FRAMES
      return { index, firstFrame, frames: Math.min(SEGMENT_FRAMES, frames - firstFrame) }
    },
  }
}
