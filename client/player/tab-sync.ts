/** The members of a BroadcastChannel that `createTabSync` uses. */
export interface TabChannel {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
  close(): void
}

/** Opens the channel of the players; `undefined` in a browser that has none, and in Firefox where it refuses cookies. */
export function openTabChannel(): TabChannel | undefined {
  try {
    return new BroadcastChannel('varispeed.player')
  } catch {
    return undefined
  }
}

/** The maximum time that a message takes. An older start time in a message shows that the clock was set in the meantime. */
const MAX_DELAY_MS = 10_000

/**
 * Lets one tab of the origin play at a time: the one that was started last. `onOtherTabStarted` is called when another tab starts to play, but not
 * for a start before this tab's own latest one or request, because this tab will pause the other one.
 */
export function createTabSync(channel: TabChannel | undefined, onOtherTabStarted: () => void, nowMs = Date.now) {
  let activeSinceMs = Number.NEGATIVE_INFINITY
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<{ startedAtMs?: unknown } | null | undefined>) => {
      // Any other message results in NaN, for which both comparisons are false.
      const aheadMs = activeSinceMs - Number(data?.startedAtMs)
      if (aheadMs < 0 || aheadMs > MAX_DELAY_MS) onOtherTabStarted()
    }
  }
  return {
    /** Marks that playback was requested in this tab. */
    noteRequest() {
      activeSinceMs = nowMs()
    },
    announceStart() {
      activeSinceMs = nowMs()
      channel?.postMessage({ startedAtMs: activeSinceMs })
    },
    close: () => channel?.close(),
  }
}
