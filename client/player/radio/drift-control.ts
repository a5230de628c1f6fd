/**
 * A correction of the video's position: `rate` is the playback rate until the next decision, `leadSeconds` is added to the position of a
 * seek.
 */
export type DriftCorrection = { kind: 'rate'; rate: number } | { kind: 'seek'; leadSeconds: number }

/** Decides how a video follows the schedule. */
export interface DriftControl {
  /**
   * Takes a measurement during playback: the video's position minus the scheduled one, in seconds, at `atMs`, and the rate at which the video
   * plays. Returns the correction.
   */
  measure(errorSeconds: number, atMs: number, videoRate: number): DriftCorrection
  /** Returns the seconds by which a video that is loaded now must start ahead of the schedule, and drops all measurements. */
  startVideo(): number
  /** Drops the measurements before an interruption of the playback. */
  dropMeasurements(): void
}

/** Number of measurements whose median is used, because a player reports some positions late. */
const MEDIAN_MEASUREMENT_COUNT = 3
/**
 * A position error above this limit is corrected immediately by a seek. Two listeners therefore differ by at most twice this limit, plus
 * the errors of their clocks.
 */
const SEEK_BEYOND_SECONDS = 0.25
/** A position error above the first limit is corrected by an inaudible change of the playback rate until it is below the second limit. */
const CORRECT_ERROR_BEYOND_SECONDS = 0.08
const ERROR_CORRECTED_BELOW_SECONDS = 0.02
const CORRECTION_RATE_CHANGE = 0.05
/**
 * Number of measurements after which a platform that still plays at another rate than requested is assumed not to support fine steps of the
 * rate.
 */
const RATE_MEASUREMENT_COUNT = 8
/** Seeks are repeated with growing delays, so that advertisements and slow networks are not disturbed all the time. */
const FIRST_SEEK_DELAY_MS = 1_500
const LONGEST_SEEK_DELAY_MS = 24_000
/**
 * The maximum time by which a load or seek aims ahead of the schedule, to make up for the time it takes. That time is learned from the
 * position errors after earlier
 * loads and seeks.
 */
const LONGEST_LEAD_SECONDS = 3

export function createDriftControl(): DriftControl {
  let positionErrorsS: number[] = []
  let playbackRate = 1
  let measurementCountAtRate = 0
  let supportsFineRates = true
  let seekDelayMs = FIRST_SEEK_DELAY_MS
  let seekAllowedAtMs = Number.NEGATIVE_INFINITY
  const leadSeconds = { load: 0, seek: 0 }
  /** The kind of the last jump, `load` or `seek`, until its position error has been measured. */
  let pendingJump: keyof typeof leadSeconds | undefined

  function updateLeadSeconds(errorSeconds: number) {
    if (pendingJump === undefined) return
    // An error of several seconds is ignored, because it comes from an advertisement or an interruption and does not predict the error of
    // the next jump.
    if (Math.abs(errorSeconds) <= LONGEST_LEAD_SECONDS)
      leadSeconds[pendingJump] = Math.min(LONGEST_LEAD_SECONDS, Math.max(0, leadSeconds[pendingJump] - errorSeconds))
    pendingJump = undefined
  }

  function setRate(nextRate: number) {
    if (nextRate !== playbackRate) measurementCountAtRate = 0
    playbackRate = nextRate
  }

  function chooseRate(errorSeconds: number, videoRate: number) {
    measurementCountAtRate += 1
    if (
      playbackRate !== 1 &&
      measurementCountAtRate > RATE_MEASUREMENT_COUNT &&
      Math.abs(videoRate - playbackRate) > CORRECTION_RATE_CHANGE / 2
    )
      supportsFineRates = false
    const isDriftCorrected = playbackRate > 1 ? errorSeconds > -ERROR_CORRECTED_BELOW_SECONDS : errorSeconds < ERROR_CORRECTED_BELOW_SECONDS
    if (!supportsFineRates || (playbackRate !== 1 && isDriftCorrected)) setRate(1)
    else if (Math.abs(errorSeconds) > CORRECT_ERROR_BEYOND_SECONDS)
      setRate(errorSeconds < 0 ? 1 + CORRECTION_RATE_CHANGE : 1 - CORRECTION_RATE_CHANGE)
  }

  return {
    measure(errorSeconds, measuredAtMs, videoRate) {
      positionErrorsS = [...positionErrorsS, errorSeconds].slice(-MEDIAN_MEASUREMENT_COUNT)
      if (positionErrorsS.length < MEDIAN_MEASUREMENT_COUNT) return { kind: 'rate', rate: playbackRate }
      const medianErrorSeconds = positionErrorsS.toSorted((a, b) => a - b)[MEDIAN_MEASUREMENT_COUNT >> 1] ?? errorSeconds
      updateLeadSeconds(medianErrorSeconds)
      if (Math.abs(medianErrorSeconds) > SEEK_BEYOND_SECONDS) {
        if (measuredAtMs < seekAllowedAtMs) return { kind: 'rate', rate: playbackRate }
        seekAllowedAtMs = measuredAtMs + seekDelayMs
        seekDelayMs = Math.min(LONGEST_SEEK_DELAY_MS, 2 * seekDelayMs)
        positionErrorsS = []
        pendingJump = 'seek'
        setRate(1)
        return { kind: 'seek', leadSeconds: leadSeconds.seek }
      }
      if (measuredAtMs >= seekAllowedAtMs) seekDelayMs = FIRST_SEEK_DELAY_MS
      chooseRate(medianErrorSeconds, videoRate)
      return { kind: 'rate', rate: playbackRate }
    },
    startVideo() {
      positionErrorsS = []
      pendingJump = 'load'
      setRate(1)
      seekAllowedAtMs = Number.NEGATIVE_INFINITY
      seekDelayMs = FIRST_SEEK_DELAY_MS
      return leadSeconds.load
    },
    dropMeasurements() {
      positionErrorsS = []
    },
  }
}
