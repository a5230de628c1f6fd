/** The text by which a person filters the list of a page, and the order of the list. */
export interface ListArrangement<Sort extends string = string> {
  text: string
  sort: Sort
}

/** The state of an entry of the session history, in which only this module writes an arrangement. */
export type ArrangedListHistoryState = { arrangement?: ListArrangement | undefined } | null

/**
 * Returns the arrangement that the current entry of the session history has, which Back, Forward and a reload restore. The sort order is the first of
 * `sortOptions` if
 * the stored order is none of them.
 */
export function readListArrangement<Sort extends string>(
  sortOptions: readonly [{ value: Sort }, ...{ value: Sort }[]],
): ListArrangement<Sort> | undefined {
  const entryState: ArrangedListHistoryState = history.state
  const arrangement = entryState?.arrangement
  return (
    arrangement && { text: arrangement.text, sort: (sortOptions.find(({ value }) => value === arrangement.sort) ?? sortOptions[0]).value }
  )
}

/**
 * Stores the arrangement in the current entry of the session history, without the router, whose own `replaceState` would load the page again. A browser
 * may refuse changes in quick succession: the list is then restored as it was before them.
 */
export function writeListArrangement(arrangement: ListArrangement | undefined): void {
  try {
    History.prototype.replaceState.call(history, { ...history.state, arrangement } satisfies ArrangedListHistoryState, '')
  } catch {}
}
