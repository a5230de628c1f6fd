/** An item that waits for its turn. */
interface LaneItem {
  /** The key of the item's lane, such as the id of a client. */
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
  let itemCount = 0

  function append(addedItem: T): T[] {
    const laneItems = itemsByLane.get(addedItem.lane) ?? []
    laneItems.push(addedItem)
    itemsByLane.set(addedItem.lane, laneItems)
    itemCount++
    return laneItems
  }

  /** Removes an item. Returns false if it was not waiting. */
  function removeItem(removedItem: T): boolean {
    const laneItems = itemsByLane.get(removedItem.lane) ?? []
    const index = laneItems.indexOf(removedItem)
    if (index < 0) return false
    laneItems.splice(index, 1)
    itemCount--
    if (laneItems.length === 0) itemsByLane.delete(removedItem.lane)
    return true
  }

  return {
    size: () => itemCount,
    remove: removeItem,
    /** Adds an item. If there are too many then, removes and returns the last one of the lane that has the most, which may be the new one. */
    add(addedItem: T): T | undefined {
      let longestLane = append(addedItem)
      if (itemCount <= itemsMax) return undefined
      for (const items of itemsByLane.values()) if (items.length > longestLane.length) longestLane = items
      const removedItem = longestLane.at(-1)
      if (removedItem !== undefined) removeItem(removedItem)
      return removedItem
    },
    /** Makes a waiting item the last one of another lane, if fewer items precede it there. */
    advance(advancedItem: T, laneKey: string): void {
      const index = itemsByLane.get(advancedItem.lane)?.indexOf(advancedItem) ?? -1
      if (index <= (itemsByLane.get(laneKey)?.length ?? 0)) return
      removeItem(advancedItem)
      advancedItem.lane = laneKey
      append(advancedItem)
    },
    /** Returns the lanes with items; the lane whose turn is next is the first one. */
    lanes: () => [...itemsByLane.keys()],
    /** Removes and returns the item whose turn it is, among the lanes that `mayTake` accepts. */
    take(mayTake: (lane: string) => boolean = () => true): T | undefined {
      for (const [laneKey, laneItems] of itemsByLane) {
        const firstItem = laneItems[0]
        if (firstItem === undefined || !mayTake(laneKey)) continue
        removeItem(firstItem)
        // The lane's next turn comes after those of the other lanes.
        itemsByLane.delete(laneKey)
        if (laneItems.length > 0) itemsByLane.set(laneKey, laneItems)
        return firstItem
      }
      return undefined
    },
  }
}
