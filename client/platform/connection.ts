import { createEmitter } from '../primitives/emitter.ts'
import { createCleanupScope } from '../primitives/scope.ts'

/** Whether the site is assumed to be reachable, according to the latest calls of this page. */
export interface Connection {
  readonly offline: boolean
  /** The device has a network according to the browser, but the site does not answer. Implies `offline`. */
  readonly serverUnreachable: boolean
  subscribe(listener: () => void): () => void
  /**
   * Reports a call that the site answered. `requestedAtMs` is by `performance.now()`; calls made before the device lost its network are
   * ignored.
   */
  reportResponse(requestedAtMs: number): void
  /** Reports a call that the site did not answer. */
  reportUnreachable(): void
  close(): void
}

const FIRST_PROBE_DELAY_MS = 3_000
const LONGEST_PROBE_DELAY_MS = 30_000
const PROBE_BACKOFF_FACTOR = 1.6

/** `probeServer` rejects if the site cannot be reached. It is called with growing delays while the site is unreachable. */
export function createConnection(probeServer: () => Promise<unknown>, browser: Window = window): Connection {
  const scope = createCleanupScope()
  const stateChanges = createEmitter()
  let isServerReachable = true
  let isDeviceOnline = browser.navigator.onLine
  let networkLostAtMs = Number.NEGATIVE_INFINITY
  let probeDelayMs = FIRST_PROBE_DELAY_MS
  let cancelProbe = () => {}

  function updateState(nextHasNetwork: boolean, nextIsReachable: boolean) {
    const hasStateChanged = isDeviceOnline !== nextHasNetwork || isServerReachable !== nextIsReachable
    isDeviceOnline = nextHasNetwork
    isServerReachable = nextIsReachable
    cancelProbe()
    if (isServerReachable) probeDelayMs = FIRST_PROBE_DELAY_MS
    else cancelProbe = scope.timeout(probeAgain, probeDelayMs)
    if (hasStateChanged) stateChanges.emit()
  }

  function reportResponse(requestedAtMs: number) {
    if (requestedAtMs >= networkLostAtMs) updateState(true, true)
  }

  function probeConnection(onFailure: () => void) {
    const requestedAtMs = performance.now()
    probeServer().then(() => reportResponse(requestedAtMs), onFailure)
  }

  function probeAgain() {
    probeDelayMs = Math.min(LONGEST_PROBE_DELAY_MS, probeDelayMs * PROBE_BACKOFF_FACTOR)
    if (browser.document.visibilityState === 'hidden') {
      cancelProbe = scope.timeout(probeAgain, probeDelayMs)
      return
    }
    probeConnection(() => updateState(isDeviceOnline, false))
  }

  // The device has a network again. A probe then determines whether the site responds.
  scope.listen(browser, 'online', () => probeConnection(() => updateState(true, false)))
  scope.listen(browser, 'offline', () => {
    networkLostAtMs = performance.now()
    updateState(false, isServerReachable)
  })
  scope.listen(browser.document, 'visibilitychange', () => {
    if (browser.document.visibilityState === 'visible' && !isServerReachable) probeAgain()
  })

  return {
    get offline() {
      return !(isDeviceOnline && isServerReachable)
    },
    get serverUnreachable() {
      return isDeviceOnline && !isServerReachable
    },
    subscribe: stateChanges.subscribe,
    reportResponse,
    // Reads the browser's state again, because a response that was in flight may have set `isDeviceOnline` after the device lost its network.
    reportUnreachable: () => updateState(isDeviceOnline && browser.navigator.onLine, false),
    close: scope.dispose,
  }
}
