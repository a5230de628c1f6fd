import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SEGMENT_FRAMES } from '../../dsp/kernel.ts'
import { createSegmentAssignment } from './segment-assignment.ts'

/** Assigns segments to the workers in the given order, then assigns the remaining segments, one worker after the other. */
function takeAllSegments(
  frameCount: number,
  segmentsPerRun: number,
  workerCount: number,
  workerOrder: readonly number[],
  workerIndexByRun?: readonly number[],
) {
  const segmentRuns = createSegmentAssignment(frameCount, segmentsPerRun, workerIndexByRun)
  const workerBySegment = new Map<number, number>()
  const hundredTurnsOfEachWorker = Array.from({ length: workerCount }, (_, worker) => Array.from({ length: 100 }, () => worker)).flat()
  for (const worker of [...workerOrder.map((worker) => worker % workerCount), ...hundredTurnsOfEachWorker]) {
    const segment = segmentRuns.take(worker)
    if (segment !== undefined) workerBySegment.set(segment.index, worker)
  }
  return { taken: workerBySegment, owners: segmentRuns.workerOfRun }
}

it('segment assignment: each segment is assigned once, and to the same worker when all are rendered a second time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(3)),
      (segmentCount, segmentsPerRun, workerCount, workerOrder) => {
        const frameCount = segmentCount * SEGMENT_FRAMES - 7
        const firstAssignment = takeAllSegments(frameCount, segmentsPerRun, workerCount, workerOrder)
        expect([...firstAssignment.taken.keys()].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: segmentCount }, (_, index) => index),
        )
        for (const [index, worker] of firstAssignment.taken) expect(firstAssignment.owners[Math.floor(index / segmentsPerRun)]).toBe(worker)
        expect(
          new Map(
            [
              ...takeAllSegments(frameCount, segmentsPerRun, workerCount, workerOrder.toReversed(), firstAssignment.owners).taken,
            ].toSorted(),
          ),
        ).toEqual(new Map([...firstAssignment.taken].toSorted()))
      },
    ),
  )
})

it('segment assignment: the last segment has only the remaining frames', () => {
  const segmentRuns = createSegmentAssignment(SEGMENT_FRAMES + 5, 1)
  expect(segmentRuns.take(0)).toEqual({ index: 0, firstFrame: 0, frames: SEGMENT_FRAMES })
  expect(segmentRuns.take(1)).toEqual({ index: 1, firstFrame: SEGMENT_FRAMES, frames: 5 })
  expect(segmentRuns.take(0)).toBeUndefined()
})
