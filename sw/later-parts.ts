import { FILE_WITHIN_MS, isProgram } from './precache.ts'

/** What `vite.config.ts` writes in place of a revision for files that only the maker needs. */
export const LATER = 'later'

const MARK_CACHE = 'later-parts-v1'
/** There once the maker was opened on this device. */
const MARK = '/maker-was-opened'

interface LaterPartsDeps {
  /** Where the files of builds are kept, with those of the build before. */
  cacheName: string
  /** Absolute. */
  urls: readonly string[]
}

/** The files that are too heavy for everyone's first visit: those of the maker. */
export function createLaterParts({ cacheName, urls }: LaterPartsDeps) {
  const own = new Set(urls)
  let keeping: Promise<void> | undefined

  async function fetchAndKeep(url: string): Promise<Response> {
    const response = await fetch(url, { signal: AbortSignal.timeout(FILE_WITHIN_MS) })
    if (isProgram(response)) await (await caches.open(cacheName)).put(url, response.clone())
    return response
  }

  /** Those that are not here yet. One that does not come keeps no other. */
  async function keepAll(): Promise<void> {
    const cache = await caches.open(cacheName)
    await Promise.allSettled(urls.map(async (url) => (await cache.match(url)) ?? fetchAndKeep(url)))
  }

  function keep(): Promise<void> {
    keeping ??= keepAll().finally(() => {
      keeping = undefined
    })
    return keeping
  }

  return {
    has: (url: string) => own.has(url),
    fetchAndKeep,
    /** The maker is open: from now on, this build and later ones have it without a network. */
    async keepFromNowOn(): Promise<void> {
      await (await caches.open(MARK_CACHE)).put(MARK, new Response())
      await keep()
    },
    /** For a new build: keeps them where the maker was opened with an earlier one. */
    async keepAgain(): Promise<void> {
      if (await (await caches.open(MARK_CACHE)).match(MARK)) await keep()
    },
  }
}
