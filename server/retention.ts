import type { Log } from './log.ts'
import type { Storage } from './storage/open.ts'

/** The interval of deletions: at most for this time after its day, a salt of client ids is stored. */
const INTERVAL_MS = 3_600_000

/** Deletes expired rows now and once an hour. Returns the function that ends it. */
export function startRetention(storage: Pick<Storage, 'deleteExpired'>, nowMs: () => number, log: Log): () => void {
  const deleteExpired = () =>
    storage.deleteExpired(nowMs()).catch((err: unknown) => log.error({ err }, 'expired rows could not be deleted'))
  void deleteExpired()
  const timer = setInterval(deleteExpired, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
