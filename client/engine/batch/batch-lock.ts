import { takeWebLock } from '../../primitives/web-lock.ts'

/** The Web Lock of an account's batch. The tab that shows and runs the batch holds the lock. */
export function createBatchLock(ownerId: string) {
  const name = `maker-batch/${ownerId}`
  let release: (() => void) | undefined

  return {
    /** Takes the lock. Resolves with whether this tab has it. */
    async take(): Promise<boolean> {
      // Insecure pages have no Web Locks, and no storage that tabs could share.
      if (release !== undefined || !('locks' in navigator)) return true
      release = await takeWebLock(name).catch(() => undefined)
      return release !== undefined
    },
    /** Resolves when no tab has the lock. */
    whenFree: (): Promise<void> => navigator.locks.request(name, async () => {}),
    release() {
      release?.()
      release = undefined
    },
  }
}
