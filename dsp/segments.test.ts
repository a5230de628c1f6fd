import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSegmentQueue, type Segment } from './segments.ts'

it('hands out every frame once, whoever asks, and says truly what continues', () => {
  fc.assert(
    fc.property(fc.nat(4_000_000), fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.nat(3)), (frames, workers, turns) => {
      const queue = createSegmentQueue(frames, workers)
      const taken: Segment[] = []
      const last = new Map<number, number>()
      while (taken.length <= queue.length) {
        const worker = (turns.next().value ?? 0) % workers
        const segment = queue.take(worker)
        if (segment === undefined) break
        expect(segment.continues).toBe(segment.index > 0 && last.get(worker) === segment.index - 1)
        last.set(worker, segment.index)
        taken.push(segment)
      }
      taken.sort((a, b) => a.index - b.index)
      expect(taken.map(({ index }) => index)).toEqual(Array.from({ length: queue.length }, (_, index) => index))
      expect(taken.reduce((next, { firstFrame, frames }) => (firstFrame === next ? next + frames : Number.NaN), 0)).toBe(frames)
    }),
  )
})

it('mostly continues', () => {
  const queue = createSegmentQueue(12_000_000, 2)
  const continued = Array.from({ length: queue.length }, (_, turn) => queue.take(turn % 2)?.continues)
  expect(continued.filter((each) => each === false)).toHaveLength(2)
})
