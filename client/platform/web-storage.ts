/** The methods of a `Storage` that are used; tests pass objects without `removeItem`. */
type StorageArea = Pick<Storage, 'getItem' | 'setItem'> & Partial<Pick<Storage, 'removeItem'>>

/**
 * Storage of the browser for texts. If access is denied or the disk is full, nothing is stored and no error is thrown.
 *
 * @param openArea returns the area, such as `localStorage`, or throws as the browser does if it denies access
 */
export function createWebStorage(openArea: () => StorageArea | undefined) {
  function attemptAccess<T>(accessArea: (area: StorageArea) => T, fallback: T): T {
    try {
      const area = openArea()
      return area ? accessArea(area) : fallback
    } catch {
      return fallback
    }
  }
  return {
    /** Returns the stored text; null if there is none or the browser denies access. */
    read: (key: string) => attemptAccess((area) => area.getItem(key), null),
    /** Returns the value of a stored JSON text; undefined if there is none or if it is not valid JSON. */
    readJson: (key: string) => attemptAccess<unknown>((area) => JSON.parse(area.getItem(key) ?? 'null') ?? undefined, undefined),
    /** Stores a text, or removes it if `storedText` is undefined. Returns whether the browser has stored or removed it. */
    write: (storageKey: string, storedText: string | undefined) =>
      attemptAccess((area) => {
        if (storedText === undefined) area.removeItem?.(storageKey)
        else area.setItem(storageKey, storedText)
        return true
      }, false),
  }
}

export type WebStorage = ReturnType<typeof createWebStorage>

/** Storage of this device that all tabs of the site share. */
export const localStore = createWebStorage(() => localStorage)
/** The key of the latest search texts in `localStore`, which a sign-out removes. */
export const RECENT_SEARCHES_KEY = 'varispeed.searches'
/** The key of the uid of the account in `localStore` to which the data of the whole device belongs. */
export const DEVICE_OWNER_KEY = 'varispeed.owner'
/** Storage of one tab. */
export const sessionStore = createWebStorage(() => sessionStorage)
