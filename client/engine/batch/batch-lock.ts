import { takeWebLock } from '../../primitives/web-lock.ts'

/** The Web Lock of an account's batch. The tab that shows and runs the batch holds the lock. */
export function createBatchLock(ownerId: string) {
  const lockName = `maker-batch/${ownerId}`
  let releaseLock: (() => void) | undefined

  return {
    /** Takes the lock. Resolves with whether this tab has it. */
    async take(): Promise<boolean> {
      // Insecure pages have no Web Locks, and no storage that tabs could share.
      if (releaseLock !== undefined || !('locks' in navigator)) return true
      releaseLock = await takeWebLock(lockName).catch(() => undefined)
      return releaseLock !== undefined
    },
    /** Resolves when no tab has the lock. */
    whenFree: (): Promise<void> => navigator.locks.request(lockName, async () => {}),
    release() {
      releaseLock?.()
      releaseLock = undefined
    },
  }
}
