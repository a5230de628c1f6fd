/**
 * Whether an error says that storage or memory is full. A RangeError counts as full memory, because failed allocations throw it. An error of a worker
 * arrives as a `DOMException` with the name of the worker's error.
 */
export const isOutOfSpaceError = (error: unknown): boolean =>
  (error instanceof Error || error instanceof DOMException) && (error.name === 'QuotaExceededError' || error.name === 'RangeError')
