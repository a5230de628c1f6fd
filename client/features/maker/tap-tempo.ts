/** A series of taps on the beats of a song. */
export interface TempoTaps {
  /** The times of the taps in milliseconds. */
  readonly tapTimesMs: readonly number[]
  /** The rate at which the song was played. */
  readonly playbackRate: number
}

/** The number of taps that are needed to compute a tempo. */
export const MIN_TAPS = 4
const MAX_TAPS = 16
/** The longest interval between two taps of a series; a longer pause ends the series. */
export const MAX_TAP_INTERVAL_MS = 2000
/** The shortest interval between two taps. An event that follows sooner belongs to the same tap. */
const MIN_TAP_INTERVAL_MS = 150
/** An interval more than this factor above or below the mean interval is a missed or an additional tap. */
const MAX_TAP_INTERVAL_RATIO = 1.4

export const NO_TAPS: TempoTaps = { tapTimesMs: [], playbackRate: 1 }

/**
 * Adds a tap to the series. After a long pause, a change of the playback rate or an interval that does not fit, the tap starts a new
 * series.
 */
export function addTap(
  { tapTimesMs, playbackRate }: TempoTaps,
  tap: { readonly timeMs: number; readonly playbackRate: number },
): TempoTaps {
  const intervalMs = tap.timeMs - (tapTimesMs.at(-1) ?? Number.NEGATIVE_INFINITY)
  if (intervalMs < MIN_TAP_INTERVAL_MS) return { tapTimesMs, playbackRate }
  const meanIntervalMs = computeMeanIntervalMs(tapTimesMs)
  const ratio = meanIntervalMs === undefined ? 1 : Math.max(intervalMs / meanIntervalMs, meanIntervalMs / intervalMs)
  const isContinued = intervalMs <= MAX_TAP_INTERVAL_MS && tap.playbackRate === playbackRate && ratio <= MAX_TAP_INTERVAL_RATIO
  return { tapTimesMs: isContinued ? [...tapTimesMs, tap.timeMs].slice(-MAX_TAPS) : [tap.timeMs], playbackRate: tap.playbackRate }
}

/** Returns the tempo of the source in beats per minute, to a tenth; undefined before MIN_TAPS taps. */
export function computeTappedBpm({ tapTimesMs, playbackRate }: TempoTaps): number | undefined {
  const meanMs = computeMeanIntervalMs(tapTimesMs)
  return meanMs === undefined || tapTimesMs.length < MIN_TAPS ? undefined : Math.round(600_000 / (meanMs * playbackRate)) / 10
}

function computeMeanIntervalMs(timesMs: readonly number[]): number | undefined {
  const [firstMs, lastMs] = [timesMs[0], timesMs.at(-1)]
  return firstMs === undefined || lastMs === undefined || timesMs.length < 2 ? undefined : (lastMs - firstMs) / (timesMs.length - 1)
}
