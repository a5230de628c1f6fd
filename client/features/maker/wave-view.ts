import type { Peaks } from '../../bindings/maker.ts'

/** The part of a sound that is shown, in seconds of the source. */
export interface View {
  readonly startS: number
  readonly endS: number
}

/** Nearer than this, single samples would be wanted. */
const MIN_VIEW_S = 0.5

/** The view `factor` times as long, with what stands at `aroundS` where it was. */
export function zoomed({ startS, endS }: View, factor: number, aroundS: number, durationS: number): View {
  const lengthS = Math.min(durationS, Math.max(Math.min(MIN_VIEW_S, durationS), (endS - startS) * factor))
  const at = endS > startS ? (aroundS - startS) / (endS - startS) : 0
  return placed(aroundS - at * lengthS, lengthS, durationS)
}

/** A view of `lengthS` that begins at `startS`, or as near as the sound's ends allow. */
export function placed(startS: number, lengthS: number, durationS: number): View {
  const start = Math.max(0, Math.min(startS, durationS - lengthS))
  return { startS: start, endS: start + lengthS }
}

/** The lowest and the highest sample below each of `count` columns, by turns. */
export function columnsOf(peaks: Peaks, sampleRate: number, { startS, endS }: View, count: number): Float32Array {
  const columns = new Float32Array(2 * count)
  const peaksPerS = sampleRate / peaks.framesPerPeak
  const last = peaks.values.length / 2 - 1
  for (let column = 0; column < count; column++) {
    const from = Math.max(0, Math.floor((startS + ((endS - startS) * column) / count) * peaksPerS))
    const to = Math.min(last, Math.max(from, Math.ceil((startS + ((endS - startS) * (column + 1)) / count) * peaksPerS) - 1))
    let low = 0
    let high = 0
    for (let index = from; index <= to; index++) {
      low = Math.min(low, peaks.values[2 * index] ?? 0)
      high = Math.max(high, peaks.values[2 * index + 1] ?? 0)
    }
    columns[2 * column] = low
    columns[2 * column + 1] = high
  }
  return columns
}

const STEPS_S = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** Round times, at most `most` of them, within a view whose clock runs at `rate`: seconds of what is heard. */
export function tickTimes({ startS, endS }: View, rate: number, most: number): number[] {
  const fromS = startS / rate
  const toS = endS / rate
  const step = STEPS_S.find((each) => (toS - fromS) / each <= most) ?? 7200
  const first = Math.ceil(fromS / step - 1e-9)
  return Array.from({ length: Math.max(0, Math.floor(toS / step + 1e-9) - first + 1) }, (_, index) => (first + index) * step)
}

/** `66.24` → `1:06.24`; the hundredths are cut, not rounded: a clock never shows what has not come. */
export function formatClock(seconds: number): string {
  const hundredths = Math.max(0, Math.floor(seconds * 100 + 1e-6))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(hundredths / 360_000)
  const minutes = Math.floor(hundredths / 6000) % 60
  const rest = `${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}
