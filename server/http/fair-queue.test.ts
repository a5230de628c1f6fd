import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

interface Item {
  lane: string
  id: number
}

const anyLane = fc.constantFrom('a', 'b', 'c', 'd')
const anySteps = fc.array(fc.oneof(fc.record({ add: anyLane }), fc.record({ remove: fc.nat(60) }), fc.constant('take' as const)), {
  maxLength: 60,
})

/** Takes all items from the queue, in the order of their turns. */
function drain(queue: ReturnType<typeof createFairQueue<Item>>): Item[] {
  const items: Item[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

it('fair queue: between two items of a lane, each other lane that waits has one; items of a lane keep their order', () => {
  fc.assert(
    fc.property(anySteps, (queueChanges) => {
      const queue = createFairQueue<Item>(1000)
      let waitingItems: Item[] = []
      /** By waiting lane: the lanes that had a turn since that lane began to wait or last had a turn itself. */
      const turnsByLane = new Map<string, string[]>()
      let addedCount = 0
      for (const queueChange of [...queueChanges, ...Array<'take'>(60).fill('take')]) {
        if (queueChange === 'take') {
          const takenItem = queue.take()
          const firstOfLane = waitingItems.find(({ lane }) => lane === takenItem?.lane)
          expect(takenItem).toBe(firstOfLane)
          if (takenItem === undefined) continue
          waitingItems = waitingItems.filter((each) => each !== takenItem)
          turnsByLane.delete(takenItem.lane)
          for (const waitingLane of new Set(waitingItems.map((each) => each.lane))) {
            if (waitingLane === takenItem.lane) continue
            const turns = [...(turnsByLane.get(waitingLane) ?? []), takenItem.lane]
            expect(new Set(turns).size, `turns of others while ${waitingLane} waits: ${turns}`).toBe(turns.length)
            turnsByLane.set(waitingLane, turns)
          }
        } else if ('add' in queueChange) {
          const item = { lane: queueChange.add, id: addedCount++ }
          waitingItems.push(item)
          expect(queue.add(item)).toBeUndefined()
        } else {
          const removedItem = waitingItems[queueChange.remove]
          if (removedItem === undefined) continue
          expect(queue.remove(removedItem)).toBe(true)
          waitingItems = waitingItems.filter((each) => each !== removedItem)
          if (waitingItems.every(({ lane }) => lane !== removedItem.lane)) turnsByLane.delete(removedItem.lane)
        }
        expect(queue.size()).toBe(waitingItems.length)
      }
      expect(waitingItems).toEqual([])
    }),
  )
})

it('fair queue: if it is full, the last item of the lane with the most items loses its place', () => {
  fc.assert(
    fc.property(fc.array(anyLane, { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (addedLaneKeys, itemsMax) => {
      const queue = createFairQueue<Item>(itemsMax)
      const countByLane = new Map<string, number>()
      addedLaneKeys.forEach((laneKey, itemId) => {
        countByLane.set(laneKey, (countByLane.get(laneKey) ?? 0) + 1)
        const refusedItem = queue.add({ lane: laneKey, id: itemId })
        if (refusedItem === undefined) return
        expect(countByLane.get(refusedItem.lane)).toBe(Math.max(...countByLane.values()))
        // If several lanes have the most items, the new item loses its place.
        if (countByLane.get(laneKey) === countByLane.get(refusedItem.lane)) expect(refusedItem.id).toBe(itemId)
        countByLane.set(refusedItem.lane, (countByLane.get(refusedItem.lane) ?? 0) - 1)
      })
      expect(queue.size()).toBe(Math.min(itemsMax, addedLaneKeys.length))
      expect(drain(queue)).toHaveLength(Math.min(itemsMax, addedLaneKeys.length))
    }),
  )
})

it('fair queue: an item moves to a lane in which fewer items precede it', () => {
  const queue = createFairQueue<Item>(10)
  const items = [0, 1, 2].map((id) => ({ lane: 'a', id }))
  for (const item of items) queue.add(item)
  queue.add({ lane: 'c', id: 3 })
  const [firstItem, , lastItem] = items
  if (firstItem === undefined || lastItem === undefined) throw new Error('An item is missing.')
  queue.advance(lastItem, 'b')
  queue.advance(firstItem, 'b')
  expect(drain(queue).map(({ id }) => id)).toEqual([0, 3, 2, 1])
})
