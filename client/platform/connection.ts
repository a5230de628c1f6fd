/** Whether the site can be reached, as far as this page knows. */
export interface Connection {
  readonly offline: boolean
  /** While offline: the device has a network, as the browser says, but the site does not answer. */
  readonly silent: boolean
  subscribe(listener: () => void): () => void
  /**
   * Every call's outcome is told, so that a site that is down counts as well as a cable that is out. `askedAtMs`: by `performance.now()`; what
   * was asked before the cable was out says nothing of now.
   */
  answered(askedAtMs: number): void
  unreachable(): void
  close(): void
}

const FIRST_PROBE_MS = 3_000
const LONGEST_PROBE_MS = 30_000

/** `probe` rejects while the site cannot be reached; it is asked now and then as long as that was so. */
export function createConnection(probe: () => Promise<unknown>, browser: Window = window): Connection {
  const listeners = new Set<() => void>()
  let reachable = true
  let plugged = browser.navigator.onLine
  let unpluggedAtMs = Number.NEGATIVE_INFINITY
  let waitMs = FIRST_PROBE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function set(nextPlugged: boolean, nextReachable: boolean) {
    const before = [plugged, reachable]
    plugged = nextPlugged
    reachable = nextReachable
    clearTimeout(timer)
    if (reachable) waitMs = FIRST_PROBE_MS
    else timer = setTimeout(tryAgain, waitMs)
    if (before[0] !== plugged || before[1] !== reachable) for (const listener of [...listeners]) listener()
  }

  function answered(askedAtMs: number) {
    if (askedAtMs >= unpluggedAtMs) set(true, true)
  }

  function ask(failed: () => void) {
    const askedAtMs = performance.now()
    probe().then(() => answered(askedAtMs), failed)
  }

  function tryAgain() {
    waitMs = Math.min(LONGEST_PROBE_MS, waitMs * 1.6)
    if (browser.document.visibilityState === 'hidden') {
      timer = setTimeout(tryAgain, waitMs)
      return
    }
    ask(() => set(plugged, false))
  }

  const onOnline = () => {
    // The cable is back, which says nothing of the site: it is asked before the page believes it.
    ask(() => set(true, false))
  }
  const onOffline = () => {
    unpluggedAtMs = performance.now()
    set(false, reachable)
  }
  const onVisible = () => {
    if (browser.document.visibilityState === 'visible' && !reachable) tryAgain()
  }
  browser.addEventListener('online', onOnline)
  browser.addEventListener('offline', onOffline)
  browser.document.addEventListener('visibilitychange', onVisible)

  return {
    get offline() {
      return !(plugged && reachable)
    },
    get silent() {
      return plugged && !reachable
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    answered,
    // An answer that was still under way can have come after the cable was out: the browser is asked again.
    unreachable: () => set(plugged && browser.navigator.onLine, false),
    close() {
      clearTimeout(timer)
      browser.removeEventListener('online', onOnline)
      browser.removeEventListener('offline', onOffline)
      browser.document.removeEventListener('visibilitychange', onVisible)
    },
  }
}
