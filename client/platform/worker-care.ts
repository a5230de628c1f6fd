import { Workbox } from 'workbox-window'

/** What the page needs of its worker's program only once it is idle. */

const CHECK_EVERY_MS = 3_600_000
const PICTURES_AT_ONCE = 120

export const openWorkbox = () => new Workbox('/sw.js', { updateViaCache: 'none' })

/** Pages stay open for days: looks for a new version every hour that someone looks. */
export function checkNowAndThen(lookForUpdate: () => void): void {
  let checkedAtMs = Date.now()
  const check = () => {
    // The clock may have been set back.
    if (document.hidden || !navigator.onLine || Math.abs(Date.now() - checkedAtMs) < CHECK_EVERY_MS) return
    checkedAtMs = Date.now()
    lookForUpdate()
  }
  setInterval(check, CHECK_EVERY_MS / 4)
  document.addEventListener('visibilitychange', check)
}

/** What the first page showed before its worker was there belongs to what was seen, too. */
export function keepShownPictures(container: ServiceWorkerContainer): void {
  const paths = performance
    .getEntriesByType('resource')
    .map((entry) => new URL(entry.name))
    .filter((url) => url.origin === location.origin && url.pathname.startsWith('/img/'))
    .map((url) => url.pathname)
  container.controller?.postMessage({ type: 'CACHE_PICTURES', paths: [...new Set(paths)].slice(-PICTURES_AT_ONCE) })
}
