/** A response of the server. The device's times are in milliseconds of the monotonic clock `performance.now()`. */
export interface ClockSample {
  sentMs: number
  receivedMs: number
  /** The time in the response, in whole milliseconds since 1970, rounded down. */
  serverMs: number
}

/** The resolution of the server's times. */
const SERVER_TIME_RESOLUTION_MS = 1
/** The maximum drift between the two clocks, in milliseconds per millisecond: NTP slews a clock by 500 ppm at most. */
const MAX_DRIFT_RATIO = 0.0005

/**
 * Estimates the server's clock. The server's clock was read between sending and receiving, so each sample bounds the difference of the two
 * clocks on both sides. The estimate is the middle of the intersection of these intervals, as in NTP (K. Marzullo, 1984): the samples with
 * the shortest delays determine it, separately for requests and for responses, and the error is at most half of the shortest round trip.
 * The bounds widen with time, because the clocks drift. A sample outside of the bounds means that a clock was set, or that the device's
 * clock stood still while it slept: the estimate starts anew.
 */
export function createServerClock(monotonicMs: () => number = () => performance.now()) {
  /** The lower and the upper bound of server time minus device time, at the device time `atMs`. */
  let offsetBounds: { lowMs: number; highMs: number; atMs: number } | undefined

  function computeBoundsAt(atMs: number) {
    if (offsetBounds === undefined) return undefined
    const driftMs = MAX_DRIFT_RATIO * Math.max(0, atMs - offsetBounds.atMs)
    return { lowMs: offsetBounds.lowMs - driftMs, highMs: offsetBounds.highMs + driftMs }
  }

  return {
    /** The server's time in milliseconds since 1970; `undefined` before the first sample. */
    nowMs() {
      return offsetBounds && monotonicMs() + (offsetBounds.lowMs + offsetBounds.highMs) / 2
    },
    /** The maximum error of `nowMs` in milliseconds. */
    errorMs() {
      const current = computeBoundsAt(monotonicMs())
      return current === undefined ? Number.POSITIVE_INFINITY : (current.highMs - current.lowMs) / 2
    },
    addSample({ sentMs, receivedMs, serverMs }: ClockSample) {
      const driftMs = MAX_DRIFT_RATIO * (receivedMs - sentMs)
      const offsetSample = { lowMs: serverMs - receivedMs - driftMs, highMs: serverMs + SERVER_TIME_RESOLUTION_MS - sentMs + driftMs }
      const knownBounds = computeBoundsAt(receivedMs) ?? offsetSample
      const lowMs = Math.max(knownBounds.lowMs, offsetSample.lowMs)
      const highMs = Math.min(knownBounds.highMs, offsetSample.highMs)
      offsetBounds = lowMs > highMs ? { ...offsetSample, atMs: receivedMs } : { lowMs, highMs, atMs: receivedMs }
    },
  }
}
