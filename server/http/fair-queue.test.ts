import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

interface Item {
  lane: string
  id: number
}

const lanes = fc.constantFrom('a', 'b', 'c', 'd')
const steps = fc.array(fc.oneof(fc.record({ add: lanes }), fc.record({ remove: fc.nat(60) }), fc.constant('take' as const)), {
  maxLength: 60,
})

/** Takes all items. */
function drain(queue: ReturnType<typeof createFairQueue<Item>>): Item[] {
  const items: Item[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

it('fair queue: between two items of a lane, each other lane that waits has one; items of a lane keep their order', () => {
  fc.assert(
    fc.property(steps, (changes) => {
      const queue = createFairQueue<Item>(1000)
      let waitingItems: Item[] = []
      /** The lanes that had a turn since each waiting lane began to wait or had its own last turn. */
      const turnsWhileWaiting = new Map<string, string[]>()
      let addedCount = 0
      for (const change of [...changes, ...Array<'take'>(60).fill('take')]) {
        if (change === 'take') {
          const item = queue.take()
          const first = waitingItems.find(({ lane }) => lane === item?.lane)
          expect(item).toBe(first)
          if (item === undefined) continue
          waitingItems = waitingItems.filter((each) => each !== item)
          turnsWhileWaiting.delete(item.lane)
          for (const lane of new Set(waitingItems.map((each) => each.lane))) {
            if (lane === item.lane) continue
            const turns = [...(turnsWhileWaiting.get(lane) ?? []), item.lane]
            expect(new Set(turns).size, `turns of others while ${lane} waits: ${turns}`).toBe(turns.length)
            turnsWhileWaiting.set(lane, turns)
          }
        } else if ('add' in change) {
          const item = { lane: change.add, id: addedCount++ }
          waitingItems.push(item)
          expect(queue.add(item)).toBeUndefined()
        } else {
          const item = waitingItems[change.remove]
          if (item === undefined) continue
          expect(queue.remove(item)).toBe(true)
          waitingItems = waitingItems.filter((each) => each !== item)
          if (waitingItems.every(({ lane }) => lane !== item.lane)) turnsWhileWaiting.delete(item.lane)
        }
        expect(queue.size()).toBe(waitingItems.length)
      }
      expect(waitingItems).toEqual([])
    }),
  )
})

it('fair queue: if it is full, the last item of the lane with the most items loses its place', () => {
  fc.assert(
    fc.property(fc.array(lanes, { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (added, itemsMax) => {
      const queue = createFairQueue<Item>(itemsMax)
      const counts = new Map<string, number>()
      added.forEach((lane, id) => {
        counts.set(lane, (counts.get(lane) ?? 0) + 1)
        const refused = queue.add({ lane, id })
        if (refused === undefined) return
        expect(counts.get(refused.lane)).toBe(Math.max(...counts.values()))
        // Of lanes with equally many, the new item loses its place.
        if (counts.get(lane) === counts.get(refused.lane)) expect(refused.id).toBe(id)
        counts.set(refused.lane, (counts.get(refused.lane) ?? 0) - 1)
      })
      expect(queue.size()).toBe(Math.min(itemsMax, added.length))
      expect(drain(queue)).toHaveLength(Math.min(itemsMax, added.length))
    }),
  )
})

it('fair queue: an item moves to a lane in which fewer items precede it', () => {
  const queue = createFairQueue<Item>(10)
  const items = [0, 1, 2].map((id) => ({ lane: 'a', id }))
  for (const item of items) queue.add(item)
  queue.add({ lane: 'c', id: 3 })
  const [first, , last] = items
  if (first === undefined || last === undefined) throw new Error('An item is missing.')
  queue.advance(last, 'b')
  queue.advance(first, 'b')
  expect(drain(queue).map(({ id }) => id)).toEqual([0, 3, 2, 1])
})
