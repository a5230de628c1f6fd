import { cacheNames } from 'workbox-core/cacheNames.js'
import type { WorkboxPlugin } from 'workbox-core/types.js'

/** What the site answers for a file of the program; a hotel's log-in page, or a missing file's, is none. */
export const isProgram = (response: Response): boolean =>
  response.ok && response.headers.get('content-type')?.startsWith('text/html') !== true

interface KeptProgram {
  /** Fetches what is not there any more; rejects where not all of it came. */
  refill(): Promise<void>
  /** Compares all of it with the site's own files, and replaces what differs; gives whether something did. */
  check(): Promise<boolean>
}

/** The files of this build, absolute URLs, against what befell them in the cache: a hand, a fault of the disk, a full one. */
export function createKeptProgram(urls: readonly string[]): KeptProgram {
  let refilling: Promise<void> | undefined
  let checking: Promise<boolean> | undefined
  const open = () => caches.open(cacheNames.precache)

  async function refill() {
    const cache = await open()
    for (const url of urls) {
      if (await cache.match(url)) continue
      const response = await fetch(url)
      if (!isProgram(response)) throw new Error(`No program: status ${response.status}`)
      await cache.put(url, response)
    }
  }

  /** Gives whether it had to be replaced. What the site does not give stays as it is. */
  async function checkOne(cache: Cache, url: string): Promise<boolean> {
    // Validated by its ETag where the browser's own cache has it.
    const [kept, fresh] = await Promise.all([cache.match(url), fetch(url, { cache: 'no-cache' }).catch(() => undefined)])
    if (!fresh || !isProgram(fresh) || (await haveSameBytes(kept, fresh.clone()))) return false
    await cache.put(url, fresh)
    return true
  }

  async function check() {
    const cache = await open()
    return (await Promise.all(urls.map((url) => checkOne(cache, url)))).includes(true)
  }

  return {
    refill() {
      refilling ??= refill().finally(() => {
        refilling = undefined
      })
      return refilling
    },
    check() {
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}

async function haveSameBytes(one: Response | undefined, other: Response): Promise<boolean> {
  // What cannot be read is not the same.
  const read = (response: Response) => response.arrayBuffer().catch(() => new ArrayBuffer(0))
  if (one === undefined) return false
  const [left, right] = (await Promise.all([read(one), read(other)])).map((buffer) => new Uint8Array(buffer))
  return left !== undefined && left.length === right?.length && left.every((byte, index) => byte === right[index])
}

/** A file that does not come by then breaks the install off, which is tried again: one that hangs would hang it for ever. */
export const FILE_WITHIN_MS = 60_000

/** `onMissing` hears of a file that a page asks for and that is not there. */
export const guardProgram = (onMissing: () => void): WorkboxPlugin => ({
  requestWillFetch: async ({ request }) => new Request(request, { signal: AbortSignal.timeout(FILE_WITHIN_MS) }),
  cacheWillUpdate: async ({ response }) => (isProgram(response) ? response : null),
  async cachedResponseWillBeUsed({ cachedResponse, event }) {
    if (!cachedResponse && event.type === 'fetch') onMissing()
    return cachedResponse ?? null
  },
})
