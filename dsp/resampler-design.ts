import { type ComplexArray, createComplexArray, fft } from './fft.ts'
import { kaiserAttenuationDb, kaiserBeta, kaiserOrder, kaiserWindow, sinc } from './kaiser.ts'

/**
 * Varispeed resampling: output frame n is the band-limited input at frame n x rate.
 *
 * Two stages. A long low-pass FIR filter doubles the sampling rate by overlap-save FFT convolution (Oppenheim and Schafer, section 8.7.3).
 * A short polyphase FIR filter interpolates at the doubled rate, with linear interpolation between neighbouring phases (J. O. Smith,
 * "Digital Audio Resampling", ccrma.stanford.edu/~jos/resample). Because of the doubled rate, the transition band of the second filter is
 * an octave wide, so that 12 to 20 taps suffice.
 */
export interface ResamplerDesign {
  /** The number of input frames per output frame. */
  readonly rate: number
  /** The hop size: the number of input frames from one block to the next. Output frame n belongs to block floor(n x rate / hopFrames). */
  readonly hopFrames: number
  /** The number of input frames that a block reads before its first frame. */
  readonly leadFrames: number
  /** The polyphase components of the low-pass filter, for samples at whole and at half input frames, as spectra of FFT_FRAMES bins. */
  readonly responses: readonly [wholeFrames: ComplexArray, halfFrames: ComplexArray]
  /** The number of taps of the interpolation filter at the doubled rate; a multiple of 4. */
  readonly tapCount: number
  /** PHASES + 1 rows of `taps` coefficients. Row r interpolates at a fractional delay of r / PHASES samples. */
  readonly coefficientTable: Float32Array
}

/** The length of the Fourier transform in input frames. */
export const FFT_FRAMES = 4096
export const PHASE_COUNT = 2048
/**
 * The limits of the rate. Above the maximum, the low-pass filter would be longer than a block; below the minimum, positions would lose precision.
 */
export const MIN_RATE = 1 / 64
export const MAX_RATE = 8

/** The passband edge of the low-pass filter as a share of its stopband edge. */
const PASSBAND_EDGE_SHARE = 0.95
const LOW_PASS_DB = 150
/**
 * The stopband attenuation of the interpolation filter in dB, near single precision. 140 dB needs four more taps at rate 1.25 without
 * improving the worst rate.
 */
const INTERPOLATOR_DB = 137

/** The filters of a bandwidth. They are computed when they are first read, because that takes milliseconds and only rendering needs them. */
interface BandFilters {
  readonly responses: ResamplerDesign['responses']
  readonly coefficientTable: Float32Array
}

/** A cache of the most recently used filters by bandwidth. All rates up to 1 have the same bandwidth. */
const filterCache = new Map<number, BandFilters>()
const MAX_CACHED_FILTERS = 4

/** Designs the filters of the resampler for a rate. @throws RangeError for a rate outside MIN_RATE..MAX_RATE */
export function designResampler(rate: number): ResamplerDesign {
  if (!(rate >= MIN_RATE && rate <= MAX_RATE)) throw new RangeError(`rate ${rate} is outside ${MIN_RATE}..${MAX_RATE}`)
  // The bandwidth of the output relative to the input's.
  const bandwidth = Math.min(1, 1 / rate)
  const padFrames = Math.ceil(lowPassHalfLength(bandwidth) / 2)
  const taps = interpolatorTaps(bandwidth)
  let filters: BandFilters | undefined
  const loadFilters = () => {
    filters ??= cachedFilters(bandwidth)
    return filters
  }
  return {
    rate,
    hopFrames: FFT_FRAMES - 2 * padFrames - taps / 2,
    leadFrames: padFrames + taps / 4,
    tapCount: taps,
    get responses() {
      return loadFilters().responses
    },
    get coefficientTable() {
      return loadFilters().coefficientTable
    },
  }
}

function cachedFilters(bandwidth: number): BandFilters {
  const filters = filterCache.get(bandwidth) ?? {
    responses: designLowPass(bandwidth),
    coefficientTable: designInterpolator(bandwidth),
  }
  // The least recently used filters are deleted first: the Map's insertion order is the order of use.
  filterCache.delete(bandwidth)
  filterCache.set(bandwidth, filters)
  for (const oldestBandwidth of filterCache.keys()) if (filterCache.size > MAX_CACHED_FILTERS) filterCache.delete(oldestBandwidth)
  return filters
}

/** Returns the number of taps of the low-pass filter, at the doubled rate, on each side of its centre. */
const lowPassHalfLength = (bandwidth: number) =>
  Math.ceil(kaiserOrder(LOW_PASS_DB, (Math.PI / 2) * bandwidth * (1 - PASSBAND_EDGE_SHARE)) / 2)

/** Designs a windowed-sinc low-pass filter at the doubled rate and returns the spectra of its two polyphase components. */
function designLowPass(bandwidth: number) {
  const window = kaiserWindow(kaiserBeta(LOW_PASS_DB))
  const halfLength = lowPassHalfLength(bandwidth)
  // The cutoff frequency relative to the Nyquist frequency of the doubled rate.
  const cutoff = (bandwidth * (1 + PASSBAND_EDGE_SHARE)) / 4
  const responses = [createComplexArray(FFT_FRAMES), createComplexArray(FFT_FRAMES)] as const
  let sum = 0
  for (let k = -halfLength; k <= halfLength; k++) {
    const tap = cutoff * sinc(cutoff * k) * window(k / (halfLength + 1))
    responses[(k & 1) as 0 | 1].re[(k >> 1) & (FFT_FRAMES - 1)] = tap
    sum += tap
  }
  for (const response of responses) {
    // The coefficients of each component sum to half of the filter's sum. The division compensates for the unscaled inverse transform.
    for (let i = 0; i < FFT_FRAMES; i++) response.re[i] = ((response.re[i] as number) * 2) / (sum * FFT_FRAMES)
    fft(response)
  }
  return responses
}

/** In units of the doubled rate's Nyquist frequency, the signal's band ends at bandwidth / 2, and the first image begins at 2 - bandwidth / 2. */
const interpolatorTransition = (bandwidth: number) => Math.PI * (2 - bandwidth)

const interpolatorTaps = (bandwidth: number) => Math.ceil((kaiserOrder(INTERPOLATOR_DB, interpolatorTransition(bandwidth)) + 1) / 4) * 4

/** Designs the polyphase interpolation filter. */
function designInterpolator(bandwidth: number) {
  const taps = interpolatorTaps(bandwidth)
  const window = kaiserWindow(kaiserBeta(kaiserAttenuationDb(taps - 1, interpolatorTransition(bandwidth))))
  const table = new Float32Array((PHASE_COUNT + 1) * taps)
  const row = new Float64Array(taps)
  for (let phase = 0; phase <= PHASE_COUNT; phase++) {
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (taps / 2 - 1) - phase / PHASE_COUNT
      row[tap] = sinc(distance) * window(distance / (taps / 2))
      sum += row[tap] as number
    }
    for (let tap = 0; tap < taps; tap++) table[phase * taps + tap] = (row[tap] as number) / sum
  }
  return table
}
