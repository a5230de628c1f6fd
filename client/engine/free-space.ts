/** The storage space that the browser still grants to the site. */
export interface FreeSpace {
  /** The free space in bytes at the last refresh; `undefined` if the browser does not report it. */
  readonly bytes: number | undefined
  refresh(): Promise<void>
}

export function createFreeSpace(): FreeSpace {
  let freeBytes: number | undefined
  return {
    get bytes() {
      return freeBytes
    },
    async refresh() {
      try {
        const { quota, usage = 0 } = await navigator.storage.estimate()
        freeBytes = quota === undefined ? undefined : quota - usage
      } catch {
        freeBytes = undefined
      }
    },
  }
}
