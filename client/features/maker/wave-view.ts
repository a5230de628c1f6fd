import type { Peaks } from './use-maker.ts'

/** The visible range of a sound, in seconds of the source. */
export interface VisibleRange {
  readonly startS: number
  readonly endS: number
}

/** The length of the shortest view in seconds. To draw a shorter view, single samples would be needed instead of peaks. */
const MIN_VIEW_S = 0.5

/** Returns a view that is `zoomFactor` times as long and keeps the time `fixedTimeS` at its place on the screen. */
export function zoomView({ startS, endS }: VisibleRange, zoomFactor: number, fixedTimeS: number, durationS: number): VisibleRange {
  const lengthS = Math.min(durationS, Math.max(Math.min(MIN_VIEW_S, durationS), (endS - startS) * zoomFactor))
  const fixedTimeFraction = endS > startS ? (fixedTimeS - startS) / (endS - startS) : 0
  return moveView(fixedTimeS - fixedTimeFraction * lengthS, lengthS, durationS)
}

/** Returns a view of `lengthS` that starts at `startS`, moved to lie within the sound. */
export function moveView(startS: number, lengthS: number, durationS: number): VisibleRange {
  const start = Math.max(0, Math.min(startS, durationS - lengthS))
  return { startS: start, endS: start + lengthS }
}

/** Returns the lowest and the highest sample of each of `columnCount` columns, alternately. */
export function computeColumns(peaks: Peaks, sampleRate: number, { startS, endS }: VisibleRange, columnCount: number): Float32Array {
  const columnPeaks = new Float32Array(2 * columnCount)
  const peaksPerS = sampleRate / peaks.framesPerPeak
  const lastPeakIndex = peaks.values.length / 2 - 1
  for (let columnIndex = 0; columnIndex < columnCount; columnIndex++) {
    const firstColumnPeak = Math.max(0, Math.floor((startS + ((endS - startS) * columnIndex) / columnCount) * peaksPerS))
    const lastColumnPeak = Math.min(
      lastPeakIndex,
      Math.max(firstColumnPeak, Math.ceil((startS + ((endS - startS) * (columnIndex + 1)) / columnCount) * peaksPerS) - 1),
    )
    let lowestSample = 0
    let highestSample = 0
    for (let index = firstColumnPeak; index <= lastColumnPeak; index++) {
      lowestSample = Math.min(lowestSample, peaks.values[2 * index] ?? 0)
      highestSample = Math.max(highestSample, peaks.values[2 * index + 1] ?? 0)
    }
    columnPeaks[2 * columnIndex] = lowestSample
    columnPeaks[2 * columnIndex + 1] = highestSample
  }
  return columnPeaks
}

const RULER_STEPS_S = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/**
 * Returns the times of at most `maxTickCount` tick marks within the view. The times are in seconds of playback, which plays `speedRate` seconds of
 * the source per second.
 */
export function computeTickTimes({ startS, endS }: VisibleRange, speedRate: number, maxTickCount: number): number[] {
  const viewStartS = startS / speedRate
  const viewEndS = endS / speedRate
  const tickStepS = RULER_STEPS_S.find((each) => (viewEndS - viewStartS) / each <= maxTickCount) ?? 7200
  const firstTickIndex = Math.ceil(viewStartS / tickStepS - 1e-9)
  return Array.from(
    { length: Math.max(0, Math.floor(viewEndS / tickStepS + 1e-9) - firstTickIndex + 1) },
    (_, index) => (firstTickIndex + index) * tickStepS,
  )
}

/**
 * Formats seconds as minutes and seconds: `66.24` → `1:06.24`. The time is rounded down to hundredths, so that the clock is never ahead of
 * playback.
 */
export function formatClock(seconds: number): string {
  const hundredthsCount = Math.max(0, Math.floor(seconds * 100 + 1e-6))
  const padToTwoDigits = (value: number) => String(value).padStart(2, '0')
  const hourCount = Math.floor(hundredthsCount / 360_000)
  const minutes = Math.floor(hundredthsCount / 6000) % 60
  const secondsText = `${padToTwoDigits(Math.floor(hundredthsCount / 100) % 60)}.${padToTwoDigits(hundredthsCount % 100)}`
  return hourCount > 0 ? `${hourCount}:${padToTwoDigits(minutes)}:${secondsText}` : `${minutes}:${secondsText}`
}
