import type { Storage } from '../storage/storage.ts'
import type { Log } from './log.ts'

const DAY_MS = 86_400_000

/** Deletes expired rows now and once a day. Returns the function that ends it. */
export function startRetention(storage: Pick<Storage, 'deleteExpired'>, nowMs: () => number, log: Log): () => void {
  const deleteExpired = () =>
    storage.deleteExpired(nowMs()).catch((err: unknown) => log.error({ err }, 'expired rows could not be deleted'))
  void deleteExpired()
  const timer = setInterval(deleteExpired, DAY_MS).unref()
  return () => clearInterval(timer)
}
