import { type ComplexArray, createComplexArray, fft } from './fft.ts'
import { computeKaiserAttenuationDb, computeKaiserBeta, computeKaiserOrder, createKaiserWindow, sinc } from './kaiser.ts'

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
  /** PHASE_COUNT + 1 rows of `tapCount` coefficients. Row r interpolates at a fractional delay of r / PHASE_COUNT samples. */
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
const LOW_PASS_STOPBAND_DB = 150
/**
 * The stopband attenuation of the interpolation filter in dB, near single precision. 140 dB needs four more taps at rate 1.25 without
 * improving the worst rate.
 */
const INTERPOLATOR_STOPBAND_DB = 137

/** The filters of a bandwidth. They are computed when they are first read, because that takes milliseconds and only rendering needs them. */
interface BandFilters {
  readonly responses: ResamplerDesign['responses']
  readonly coefficientTable: Float32Array
}

/** A cache of the most recently used filters by bandwidth. All rates up to 1 have the same bandwidth. */
const filterCache = new Map<number, BandFilters>()
const MAX_CACHED_FILTERS = 4

/** Designs the filters of the resampler for a rate. @throws RangeError for a rate outside MIN_RATE..MAX_RATE */
export function designResampler(resamplingRate: number): ResamplerDesign {
  if (!(resamplingRate >= MIN_RATE && resamplingRate <= MAX_RATE))
    throw new RangeError(`rate ${resamplingRate} is outside ${MIN_RATE}..${MAX_RATE}`)
  // The bandwidth of the output relative to the input's.
  const bandwidthShare = Math.min(1, 1 / resamplingRate)
  const padFrames = Math.ceil(computeLowPassHalfLength(bandwidthShare) / 2)
  const tapCount = countInterpolatorTaps(bandwidthShare)
  let filters: BandFilters | undefined
  const loadFilters = () => {
    filters ??= findOrDesignFilters(bandwidthShare)
    return filters
  }
  return {
    rate: resamplingRate,
    hopFrames: FFT_FRAMES - 2 * padFrames - tapCount / 2,
    leadFrames: padFrames + tapCount / 4,
    tapCount,
    get responses() {
      return loadFilters().responses
    },
    get coefficientTable() {
      return loadFilters().coefficientTable
    },
  }
}

function findOrDesignFilters(bandwidthShare: number): BandFilters {
  const bandFilters = filterCache.get(bandwidthShare) ?? {
    responses: designLowPass(bandwidthShare),
    coefficientTable: designInterpolator(bandwidthShare),
  }
  // The least recently used filters are deleted first: the Map's insertion order is the order of use.
  filterCache.delete(bandwidthShare)
  filterCache.set(bandwidthShare, bandFilters)
  for (const oldestBandwidth of filterCache.keys()) if (filterCache.size > MAX_CACHED_FILTERS) filterCache.delete(oldestBandwidth)
  return bandFilters
}

/** Returns the number of taps of the low-pass filter, at the doubled rate, on each side of its centre. */
const computeLowPassHalfLength = (bandwidth: number) =>
  Math.ceil(computeKaiserOrder(LOW_PASS_STOPBAND_DB, (Math.PI / 2) * bandwidth * (1 - PASSBAND_EDGE_SHARE)) / 2)

/** Designs a windowed-sinc low-pass filter at the doubled rate and returns the spectra of its two polyphase components. */
function designLowPass(bandwidthShare: number) {
  const computeWindow = createKaiserWindow(computeKaiserBeta(LOW_PASS_STOPBAND_DB))
  const halfLength = computeLowPassHalfLength(bandwidthShare)
  // The cutoff frequency relative to the Nyquist frequency of the doubled rate.
  const cutoffShare = (bandwidthShare * (1 + PASSBAND_EDGE_SHARE)) / 4
  const frequencyResponses = [createComplexArray(FFT_FRAMES), createComplexArray(FFT_FRAMES)] as const
  let coefficientSum = 0
  for (let tapIndex = -halfLength; tapIndex <= halfLength; tapIndex++) {
    const tap = cutoffShare * sinc(cutoffShare * tapIndex) * computeWindow(tapIndex / (halfLength + 1))
    frequencyResponses[(tapIndex & 1) as 0 | 1].re[(tapIndex >> 1) & (FFT_FRAMES - 1)] = tap
    coefficientSum += tap
  }
  for (const response of frequencyResponses) {
    // The coefficients of each component sum to half of the filter's sum. The division compensates for the unscaled inverse transform.
    for (let i = 0; i < FFT_FRAMES; i++) response.re[i] = ((response.re[i] as number) * 2) / (coefficientSum * FFT_FRAMES)
    fft(response)
  }
  return frequencyResponses
}

/** In units of the doubled rate's Nyquist frequency, the signal's band ends at bandwidth / 2, and the first image begins at 2 - bandwidth / 2. */
const computeInterpolatorTransition = (bandwidth: number) => Math.PI * (2 - bandwidth)

const countInterpolatorTaps = (bandwidth: number) =>
  Math.ceil((computeKaiserOrder(INTERPOLATOR_STOPBAND_DB, computeInterpolatorTransition(bandwidth)) + 1) / 4) * 4

/** Designs the polyphase interpolation filter. */
function designInterpolator(bandwidthShare: number) {
  const tapCount = countInterpolatorTaps(bandwidthShare)
  const computeWindow = createKaiserWindow(
    computeKaiserBeta(computeKaiserAttenuationDb(tapCount - 1, computeInterpolatorTransition(bandwidthShare))),
  )
  const coefficientTable = new Float32Array((PHASE_COUNT + 1) * tapCount)
  const coefficientRow = new Float64Array(tapCount)
  for (let phaseIndex = 0; phaseIndex <= PHASE_COUNT; phaseIndex++) {
    let coefficientSum = 0
    for (let tapIndex = 0; tapIndex < tapCount; tapIndex++) {
      const distance = tapIndex - (tapCount / 2 - 1) - phaseIndex / PHASE_COUNT
      coefficientRow[tapIndex] = sinc(distance) * computeWindow(distance / (tapCount / 2))
      coefficientSum += coefficientRow[tapIndex] as number
    }
    for (let tap = 0; tap < tapCount; tap++)
      coefficientTable[phaseIndex * tapCount + tap] = (coefficientRow[tap] as number) / coefficientSum
  }
  return coefficientTable
}
