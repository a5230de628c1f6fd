import type { Log } from './log.ts'
import type { Storage } from './storage/storage.ts'

/** Salts of client ids are deleted within this time after their day, even if nobody visits the site. */
const INTERVAL_MS = 3_600_000

/** Deletes expired rows now and once an hour. Returns the function that ends it. */
export function startRetention(storage: Pick<Storage, 'deleteExpired'>, nowMs: () => number, log: Log): () => void {
  const deleteExpired = () =>
    storage.deleteExpired(nowMs()).catch((err: unknown) => log.error({ err }, 'expired rows could not be deleted'))
  void deleteExpired()
  const timer = setInterval(deleteExpired, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
