/**
 * Takes a Web Lock without waiting. Resolves with the function that releases the lock, or with `undefined` if another holder has it. Rejects in a
 * browser that refuses locks. The browser releases the locks of a tab that ends.
 */
export const takeWebLock = (lockName: string): Promise<(() => void) | undefined> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(lockName, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((release) => resolve(release))
        resolve(undefined)
        return undefined
      })
      .catch(reject)
  })

/**
 * Takes a Web Lock that several holders share. Waits while another holder has the lock exclusively. Resolves with the function that
 * releases the lock.
 */
export const takeSharedLock = (lockName: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    navigator.locks.request(lockName, { mode: 'shared' }, () => new Promise<void>((release) => resolve(release))).catch(reject)
  })
