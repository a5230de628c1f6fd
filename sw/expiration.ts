import { registerQuotaErrorCallback } from 'workbox-core/registerQuotaErrorCallback.js'
import type { WorkboxPlugin } from 'workbox-core/types.js'
import { CacheExpiration } from 'workbox-expiration/CacheExpiration.js'

/**
 * The delay after which the use of entries is recorded: when a page opens, dozens of entries are used. Uses are lost if the browser is closed earlier. A new worker
 * cannot be activated meanwhile.
 */
const RECORDING_DELAY_MS = 2_000

interface ExpirationOptions {
  cacheName: string
  /** The maximum number of entries in the cache. The least recently used ones are deleted. */
  maxEntries: number
  matchOptions: CacheQueryOptions
}

/**
 * Creates a Workbox plugin that limits the number of entries in a cache, and deletes the cache if the device has no more space. Workbox's own plugin reads the
 * times of all entries for each cached response, which delays a page with many pictures; this one records which entries were used once the page has
 * opened, and reads the times of all entries only if some were added.
 */
export function createExpirationPlugin({ cacheName, maxEntries, matchOptions }: ExpirationOptions): WorkboxPlugin {
  const expiration = new CacheExpiration(cacheName, { maxEntries, matchOptions })
  const usedUrls = new Set<string>()
  let hasNewEntries = false
  let recordingPromise: Promise<void> | undefined

  registerQuotaErrorCallback(async () => {
    usedUrls.clear()
    hasNewEntries = false
    await caches.delete(cacheName)
    await expiration.delete()
  })

  async function recordUses(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, RECORDING_DELAY_MS))
    recordingPromise = undefined
    const recordedUrls = [...usedUrls]
    usedUrls.clear()
    for (const url of recordedUrls) await expiration.updateTimestamp(url)
    if (!hasNewEntries) return
    // An entry that is added while the entries are read is expired by the next recording.
    hasNewEntries = false
    await expiration.expireEntries()
  }

  function startRecording(event: ExtendableEvent): void {
    if (recordingPromise !== undefined) return
    // A failure is ignored: the entries are expired after a later addition.
    recordingPromise = recordUses().catch(() => undefined)
    event.waitUntil(recordingPromise)
  }

  return {
    async cachedResponseWillBeUsed({ event, request, cachedResponse }) {
      if (cachedResponse === undefined) return null
      usedUrls.add(request.url)
      startRecording(event)
      return cachedResponse
    },
    async cacheDidUpdate({ event, request, oldResponse }) {
      if (oldResponse === undefined) {
        // The time of a new entry is recorded immediately, because an entry without a time would never be deleted.
        await expiration.updateTimestamp(request.url)
        hasNewEntries = true
      } else usedUrls.add(request.url)
      startRecording(event)
    },
  }
}
