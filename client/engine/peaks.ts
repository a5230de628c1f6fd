import type { Peaks } from './engine.ts'

const FIRST_FRAMES_PER_PEAK = 256
/** More than four for each pixel of the widest screens; as a Peaks' values 1.6 MB. */
export const MAX_PEAKS = 200_000

/** Measures a sound that comes in pieces, however long it will be. */
export interface PeakMeter {
  /** @param channels frames that follow the last ones */
  add(channels: readonly Float32Array[]): void
  /** The wave of all that came. */
  peaks(): Peaks
}

/** Where there are too many stretches, each two of them become one: a stretch is 256 frames times a power of two. */
export function createPeakMeter(): PeakMeter {
  let framesPerPeak = FIRST_FRAMES_PER_PEAK
  let pairs = 0
  let values = new Float32Array(2 ** 12)
  let inStretch = 0
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY

  function endStretch() {
    if (2 * pairs === values.length) values = resized(values, 4 * pairs)
    values[2 * pairs] = clamped(low)
    values[2 * pairs + 1] = clamped(high)
    pairs += 1
    inStretch = 0
    low = Number.POSITIVE_INFINITY
    high = Number.NEGATIVE_INFINITY
    if (pairs === MAX_PEAKS) joinPairs()
  }

  function joinPairs() {
    for (let pair = 0; pair < pairs / 2; pair++) {
      values[2 * pair] = Math.min(values[4 * pair] ?? 0, values[4 * pair + 2] ?? 0)
      values[2 * pair + 1] = Math.max(values[4 * pair + 1] ?? 0, values[4 * pair + 3] ?? 0)
    }
    pairs /= 2
    framesPerPeak *= 2
  }

  return {
    add(channels) {
      const frames = channels[0]?.length ?? 0
      for (let from = 0; from < frames; ) {
        const to = Math.min(frames, from + framesPerPeak - inStretch)
        // Numbers of this function alone: shared ones would be ten times slower.
        let [lowest, highest] = [low, high]
        for (const samples of channels) {
          for (let frame = from; frame < to; frame++) {
            const sample = samples[frame] ?? 0
            if (sample < lowest) lowest = sample
            if (sample > highest) highest = sample
          }
        }
        low = lowest
        high = highest
        inStretch += to - from
        from = to
        if (inStretch === framesPerPeak) endStretch()
      }
    },
    peaks() {
      const last = inStretch > 0 ? [clamped(low), clamped(high)] : []
      const whole = resized(values.subarray(0, 2 * pairs), 2 * pairs + last.length)
      whole.set(last, 2 * pairs)
      return { framesPerPeak, values: whole }
    },
  }
}

/** Not a number, as damaged floats can be, is silence; so is a stretch of nothing else. */
const clamped = (sample: number) => (Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0)

function resized(values: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const copy = new Float32Array(length)
  copy.set(values.subarray(0, length))
  return copy
}
