/** The methods of a `Storage` that are used; tests pass objects without `removeItem`. */
type StorageArea = Pick<Storage, 'getItem' | 'setItem'> & Partial<Pick<Storage, 'removeItem'>>

/** Storage of the browser for texts. A denied access or a full disk is no error: then nothing is stored. */
export interface WebStorage {
  /** Returns the stored text; null if there is none or the browser denies access. */
  read(key: string): string | null
  /** Returns the value of a stored JSON text; undefined if there is none or it is no JSON. */
  readJson(key: string): unknown
  /** Stores a text, or removes it if `text` is undefined. Returns whether the browser did. */
  write(key: string, text: string | undefined): boolean
}

/** Creates the access to a storage area. @param open returns the area, such as `localStorage`, or throws as the browser does if it denies access */
export function createWebStorage(open: () => StorageArea | undefined): WebStorage {
  function attempt<T>(work: (area: StorageArea) => T, fallback: T): T {
    try {
      const area = open()
      return area ? work(area) : fallback
    } catch {
      return fallback
    }
  }
  return {
    read: (key) => attempt((area) => area.getItem(key), null),
    readJson: (key) => attempt<unknown>((area) => JSON.parse(area.getItem(key) ?? 'null') ?? undefined, undefined),
    write: (key, text) =>
      attempt((area) => {
        if (text === undefined) area.removeItem?.(key)
        else area.setItem(key, text)
        return true
      }, false),
  }
}

/** Storage of this device that all tabs of the site share. */
export const localStore = createWebStorage(() => localStorage)
/** Storage of one tab. */
export const sessionStore = createWebStorage(() => sessionStorage)
