import type { Log } from './log.ts'
import type { Storage } from './storage/open.ts'

/** The interval of deletions. A salt of client ids remains stored for at most this time after its day. */
const DELETION_INTERVAL_MS = 3_600_000

/** Deletes expired rows now and once an hour. Returns a function that stops the deletions. */
export function startRetention(storage: Pick<Storage, 'deleteExpired'>, nowMs: () => number, log: Log): () => void {
  const deleteExpired = () =>
    storage.deleteExpired(nowMs()).catch((err: unknown) => log.error({ err }, 'expired rows could not be deleted'))
  void deleteExpired()
  const timer = setInterval(deleteExpired, DELETION_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
