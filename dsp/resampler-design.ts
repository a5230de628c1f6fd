import { type Complex, complex, fft } from './fft.ts'
import { kaiserAttenuationDb, kaiserBeta, kaiserOrder, kaiserWindow, sinc } from './kaiser.ts'

/**
 * Varispeed: output frame n is the input at frame n x rate, with nothing above half the sample rate.
 *
 * Two steps. A long low-pass filter doubles the sampling rate, by overlap-save FFT convolution (Oppenheim and Schafer, section 8.7.3). Between
 * the samples of the doubled rate a short filter interpolates: a polyphase table whose neighbouring rows are joined by straight lines
 * (J. O. Smith, "Digital Audio Resampling", ccrma.stanford.edu/~jos/resample). Twice the rate leaves the second filter an octave for its
 * transition, so that it needs 12 to 20 taps in place of hundreds.
 */
export interface ResamplerDesign {
  /** Input frames for an output frame. */
  readonly rate: number
  /** Input frames that one block gives way to: output frame n belongs to block floor(n x rate / hopFrames). */
  readonly hopFrames: number
  /** Input frames that a block reads before its first one. */
  readonly leadFrames: number
  /** The low-pass filter for the samples at whole input frames, and for those half a frame later, as spectra over FFT_FRAMES. */
  readonly responses: readonly [whole: Complex, half: Complex]
  /** Taps of the interpolating filter, at the doubled rate; a multiple of 4. */
  readonly taps: number
  /** PHASES + 1 rows of `taps`: row r interpolates at r / PHASES of a step past the middle's left tap. */
  readonly table: Float32Array
}

/** Input frames in one transform. */
export const FFT_FRAMES = 4096
export const PHASES = 2048
/** Beyond, the low-pass filter leaves no room in a block, or positions lose precision. */
export const MIN_RATE = 1 / 64
export const MAX_RATE = 8

/** The low-pass filter: flat to 0.95 of what can be kept, closed at it. */
const PASS_SHARE = 0.95
const LOW_PASS_DB = 150
/** Near what single precision rounds to: 140 would need four taps more at rate 1.25, and gain nothing at the worst rate. */
const INTERPOLATOR_DB = 137

/** The designs that were asked for last, by rate: a page asks for the same one many times, and each takes milliseconds. */
const recent = new Map<number, ResamplerDesign>()
const MOST_RECENT = 4

/** @throws RangeError for a rate outside MIN_RATE..MAX_RATE */
export function designResampler(rate: number): ResamplerDesign {
  if (!(rate >= MIN_RATE && rate <= MAX_RATE)) throw new RangeError(`rate ${rate} is not in ${MIN_RATE}..${MAX_RATE}`)
  const found = recent.get(rate) ?? design(rate)
  // The latest stands last.
  recent.delete(rate)
  recent.set(rate, found)
  for (const oldest of recent.keys()) if (recent.size > MOST_RECENT) recent.delete(oldest)
  return found
}

function design(rate: number): ResamplerDesign {
  // The share of the input's band that the output can hold.
  const kept = Math.min(1, 1 / rate)
  const { responses, padFrames } = designLowPass(kept)
  const { taps, table } = designInterpolator(kept)
  return {
    rate,
    hopFrames: FFT_FRAMES - 2 * padFrames - taps / 2,
    leadFrames: padFrames + taps / 4,
    responses,
    taps,
    table,
  }
}

/** A windowed sinc at the doubled rate, split into its samples at whole and at half frames (its polyphase components). */
function designLowPass(kept: number) {
  const window = kaiserWindow(kaiserBeta(LOW_PASS_DB))
  const transition = (Math.PI / 2) * kept * (1 - PASS_SHARE)
  const halfLength = Math.ceil(kaiserOrder(LOW_PASS_DB, transition) / 2)
  // Relative to half the doubled rate.
  const cutOff = (kept * (1 + PASS_SHARE)) / 4
  const responses = [complex(FFT_FRAMES), complex(FFT_FRAMES)] as const
  let sum = 0
  for (let k = -halfLength; k <= halfLength; k++) {
    const tap = cutOff * sinc(cutOff * k) * window(k / (halfLength + 1))
    responses[(k & 1) as 0 | 1].re[(k >> 1) & (FFT_FRAMES - 1)] = tap
    sum += tap
  }
  for (const response of responses) {
    // Each of the two has half of the sum; the inverse transform multiplies by its length.
    for (let i = 0; i < FFT_FRAMES; i++) response.re[i] = ((response.re[i] as number) * 2) / (sum * FFT_FRAMES)
    fft(response)
  }
  return { responses, padFrames: Math.ceil(halfLength / 2) }
}

/** What is left after the low-pass filter ends at kept / 2 of the doubled rate's band; its first image begins at 2 - kept / 2. */
function designInterpolator(kept: number) {
  const transition = Math.PI * (2 - kept)
  const taps = Math.ceil((kaiserOrder(INTERPOLATOR_DB, transition) + 1) / 4) * 4
  const window = kaiserWindow(kaiserBeta(kaiserAttenuationDb(taps - 1, transition)))
  const table = new Float32Array((PHASES + 1) * taps)
  const row = new Float64Array(taps)
  for (let phase = 0; phase <= PHASES; phase++) {
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (taps / 2 - 1) - phase / PHASES
      row[tap] = sinc(distance) * window(distance / (taps / 2))
      sum += row[tap] as number
    }
    for (let tap = 0; tap < taps; tap++) table[phase * taps + tap] = (row[tap] as number) / sum
  }
  return { taps, table }
}
