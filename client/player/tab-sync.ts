/** The members of a BroadcastChannel that `createTabSync` uses. */
export interface TabChannel {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
  close(): void
}

/**
 * Opens the broadcast channel of the players. Returns `undefined` in a browser without broadcast channels, and in Firefox if it blocks
 * cookies.
 */
export function openTabChannel(): TabChannel | undefined {
  try {
    return new BroadcastChannel('varispeed.player')
  } catch {
    return undefined
  }
}

/** The maximum time that a message takes. If the start time in a message is older, the clock was set in the meantime. */
const MAX_MESSAGE_DELAY_MS = 10_000

/**
 * Lets one tab of the origin play at a time: the one that was started last. `onOtherTabStarted` is called when another tab starts to play,
 * but not if that start precedes the latest start or request in this tab, because this tab will then pause the other tab.
 */
export function createTabSync(tabChannel: TabChannel | undefined, onOtherTabStarted: () => void, nowMs = Date.now) {
  let activeSinceMs = Number.NEGATIVE_INFINITY
  if (tabChannel) {
    tabChannel.onmessage = ({ data }: MessageEvent<{ startedAtMs?: unknown } | null | undefined>) => {
      // A message without a start time results in NaN, for which both comparisons are false.
      const aheadMs = activeSinceMs - Number(data?.startedAtMs)
      if (aheadMs < 0 || aheadMs > MAX_MESSAGE_DELAY_MS) onOtherTabStarted()
    }
  }
  return {
    /** Marks that playback was requested in this tab. */
    noteRequest() {
      activeSinceMs = nowMs()
    },
    announceStart() {
      activeSinceMs = nowMs()
      tabChannel?.postMessage({ startedAtMs: activeSinceMs })
    },
    close: () => tabChannel?.close(),
  }
}
