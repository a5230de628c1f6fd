import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SEGMENT_FRAMES } from '../../dsp/segments.ts'
import { createSegmentRuns } from './segment-runs.ts'

/** Workers take in the order that `turns` says, then each until nothing is left for it. */
function takeAll(frames: number, runSegments: number, workers: number, turns: readonly number[], owners?: readonly number[]) {
  const runs = createSegmentRuns(frames, runSegments, owners)
  const taken = new Map<number, number>()
  const rest = Array.from({ length: workers }, (_, worker) => Array.from({ length: 100 }, () => worker)).flat()
  for (const worker of [...turns.map((turn) => turn % workers), ...rest]) {
    const segment = runs.take(worker)
    if (segment !== undefined) taken.set(segment.index, worker)
  }
  return { taken, owners: runs.owners }
}

it('each segment is taken once, and a second time by the worker that had it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(3)),
      (segments, run, workers, turns) => {
        const frames = segments * SEGMENT_FRAMES - 7
        const first = takeAll(frames, run, workers, turns)
        expect([...first.taken.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: segments }, (_, index) => index))
        for (const [index, worker] of first.taken) expect(first.owners[Math.floor(index / run)]).toBe(worker)
        expect(new Map([...takeAll(frames, run, workers, turns.toReversed(), first.owners).taken].toSorted())).toEqual(
          new Map([...first.taken].toSorted()),
        )
      },
    ),
  )
})

it('the last segment is as long as what is left', () => {
  const runs = createSegmentRuns(SEGMENT_FRAMES + 5, 1)
  expect(runs.take(0)).toEqual({ index: 0, firstFrame: 0, frames: SEGMENT_FRAMES })
  expect(runs.take(1)).toEqual({ index: 1, firstFrame: SEGMENT_FRAMES, frames: 5 })
  expect(runs.take(0)).toBeUndefined()
})
