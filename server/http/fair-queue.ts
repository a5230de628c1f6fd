/** An item that waits for its turn. */
interface LaneItem {
  /** What takes turns, such as a client. */
  lane: string
}

/**
 * Creates a queue with lanes that take turns: between two items of one lane, each other lane with items has one. The items of a lane keep their order, and a
 * lane that had no items has its turn after those that had some.
 * @param itemsMax the maximum number of items
 */
export function createFairQueue<T extends LaneItem>(itemsMax: number) {
  /** The items of each lane. The lane whose turn is next is the first one. */
  const itemsByLane = new Map<string, T[]>()
  let size = 0

  function append(item: T): T[] {
    const items = itemsByLane.get(item.lane) ?? []
    items.push(item)
    itemsByLane.set(item.lane, items)
    size++
    return items
  }

  /** Returns whether the item waited. */
  function removeItem(item: T): boolean {
    const items = itemsByLane.get(item.lane) ?? []
    const index = items.indexOf(item)
    if (index < 0) return false
    items.splice(index, 1)
    size--
    if (items.length === 0) itemsByLane.delete(item.lane)
    return true
  }

  return {
    size: () => size,
    remove: removeItem,
    /** Adds an item. If there are too many then, removes and returns the last one of the lane that has the most, which may be the new one. */
    add(item: T): T | undefined {
      let longest = append(item)
      if (size <= itemsMax) return undefined
      for (const items of itemsByLane.values()) if (items.length > longest.length) longest = items
      const removedItem = longest.at(-1)
      if (removedItem !== undefined) removeItem(removedItem)
      return removedItem
    },
    /** Makes a waiting item the last one of another lane, if fewer items precede it there. */
    advance(item: T, lane: string): void {
      const index = itemsByLane.get(item.lane)?.indexOf(item) ?? -1
      if (index <= (itemsByLane.get(lane)?.length ?? 0)) return
      removeItem(item)
      item.lane = lane
      append(item)
    },
    /** Returns the lanes with items; the lane whose turn is next is the first one. */
    lanes: () => [...itemsByLane.keys()],
    /** Removes and returns the item whose turn it is, among the lanes that `mayTake` accepts. */
    take(mayTake: (lane: string) => boolean = () => true): T | undefined {
      for (const [lane, items] of itemsByLane) {
        const item = items[0]
        if (item === undefined || !mayTake(lane)) continue
        removeItem(item)
        // The lane's next turn comes after those of the other lanes.
        itemsByLane.delete(lane)
        if (items.length > 0) itemsByLane.set(lane, items)
        return item
      }
      return undefined
    },
  }
}
