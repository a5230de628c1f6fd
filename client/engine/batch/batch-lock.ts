/** The lock of an account's batch, which one tab holds as long as it has the batch. The browser releases the locks of a tab that ends. */
export function createBatchLock(ownerId: string) {
  const name = `maker-batch/${ownerId}`
  let release: (() => void) | undefined

  return {
    /** Takes the lock. Resolves with whether this tab has it. */
    take: (): Promise<boolean> =>
      new Promise((resolve) => {
        // Insecure pages have no Web Locks, and no storage in which tabs could meet.
        if (release !== undefined || !('locks' in navigator)) return resolve(true)
        const whileHeld = (lock: Lock | null) => {
          resolve(lock !== null)
          return lock === null ? undefined : new Promise<void>((end) => (release = end))
        }
        navigator.locks.request(name, { ifAvailable: true }, whileHeld).catch(() => resolve(false))
      }),
    /** Resolves when no tab has the lock. */
    whenFree: (): Promise<void> => navigator.locks.request(name, async () => {}),
    release() {
      release?.()
      release = undefined
    },
  }
}
