import type { Scope } from '../../primitives/scope.ts'

/**
 * Repeats a request while the radio plays or the page is visible, and immediately when the page or the network comes back. The repetition starts with
 * the first call of `pollNow`.
 */
export interface StationPolling {
  readonly isPlaying: boolean
  /** Sets whether the radio plays: a hidden page polls only during playback. */
  setPlaying(isPlaying: boolean): void
  /** Polls now, unless a poll is running, and from then on at the normal rate. */
  pollNow(): void
  /** Drops the running poll. */
  cancelPoll(): void
}

interface StationPollingDeps<Answer> {
  scope: Scope
  request: (signal: AbortSignal) => Promise<Answer>
  /** Handles a response. If it throws, the poll counts as failed. */
  onAnswer: (answer: Answer) => void
  onFailure: (error: unknown) => void
  /** Returns whether the delays between polls grow after this failure. */
  hasGrowingDelays: (error: unknown) => boolean
}

const POLL_MS = 5_000
/** The maximum delay between polls after repeated failures. */
const LONGEST_POLL_MS = 20_000
const POLL_BACKOFF_FACTOR = 1.5
/** The interval at which the device's monotonic clock and wall clock are compared. */
const CLOCK_CHECK_MS = 1_000

export function createStationPolling<Answer>(deps: StationPollingDeps<Answer>): StationPolling {
  const { scope, request, onAnswer, onFailure, hasGrowingDelays } = deps
  let isPlaying = false
  let pollIntervalMs = POLL_MS
  let cancelTimer = () => {}
  let runningPoll: AbortController | undefined
  let clockDifferenceMs = Date.now() - performance.now()

  const isPollingNeeded = () => isPlaying || document.visibilityState === 'visible'

  function schedulePoll() {
    cancelTimer()
    if (isPollingNeeded()) cancelTimer = scope.timeout(pollStation, pollIntervalMs)
  }

  function pollNow() {
    pollIntervalMs = POLL_MS
    cancelTimer()
    if (runningPoll === undefined) pollStation()
  }

  function pollStation() {
    const controller = new AbortController()
    runningPoll = controller
    const isLatestPoll = () => runningPoll === controller && !scope.signal.aborted
    request(controller.signal)
      .then((stationResponse) => {
        if (!isLatestPoll()) return
        pollIntervalMs = POLL_MS
        onAnswer(stationResponse)
      })
      .catch((error: unknown) => {
        if (!isLatestPoll()) return
        pollIntervalMs = hasGrowingDelays(error) ? Math.min(LONGEST_POLL_MS, pollIntervalMs * POLL_BACKOFF_FACTOR) : POLL_MS
        onFailure(error)
      })
      .finally(() => {
        if (!isLatestPoll()) return
        runningPoll = undefined
        schedulePoll()
      })
  }

  /** Polls after the device slept, because its monotonic clock may have stood still. A device whose clock is set polls once more than needed. */
  function checkClocks() {
    const differenceMs = Date.now() - performance.now()
    const hasJumped = Math.abs(differenceMs - clockDifferenceMs) > CLOCK_CHECK_MS
    clockDifferenceMs = differenceMs
    if (hasJumped && isPollingNeeded()) pollNow()
  }

  scope.interval(checkClocks, CLOCK_CHECK_MS)
  scope.listen(document, 'visibilitychange', () => (isPollingNeeded() ? pollNow() : cancelTimer()))
  scope.listen(window, 'online', () => isPollingNeeded() && pollNow())
  scope.add(() => runningPoll?.abort())

  return {
    get isPlaying() {
      return isPlaying
    },
    setPlaying(newIsPlaying) {
      const wasPollingNeeded = isPollingNeeded()
      isPlaying = newIsPlaying
      if (!isPollingNeeded()) cancelTimer()
      else if (!wasPollingNeeded) pollNow()
    },
    pollNow,
    cancelPoll() {
      runningPoll?.abort()
      runningPoll = undefined
    },
  }
}
