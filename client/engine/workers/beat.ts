import { createComplexArray, fft } from '../../../dsp/fft.ts'
import { computeOnsetEnvelope, type OnsetEnvelope, rootMeanSquare, valueAt } from './onset-envelope.ts'

/** The tempos that are compared, in beats per minute: from `from` to `to`, each `ratio` times the previous one. */
const TEMPO_CANDIDATES_BPM = { from: 50, to: 220, ratio: 1.004 }
/** The weights of tempos: a normal distribution over octaves, because half and double of a tempo fit almost as well. */
const TEMPO_PRIOR = { bpm: 115, octaves: 0.7 }
/** The number of envelope values in a window: 12 s, so that the tempo may drift between windows. A power of two. */
const WINDOW_VALUES = 1024
/** The number of periods over which the autocorrelation of a tempo is averaged. */
const COMPARED_PERIODS = 4
/** The exponent that reduces the weight of the power in the score, because the power is less reliable than the autocorrelation. */
const POWER_EXPONENT = 0.15

/**
 * A sound has no beat if it is too short, if its onsets are too weak (root mean square: noise, tones and pads have 0.5 to 0.9, songs over 1.2), or if
 * they repeat too little (mean autocorrelation: noise and speech have 0.02 in 2 minutes, 0.04 in 30 s and up to 0.11 in 10 s; songs 0.2 to 0.9).
 */
const MIN_SECONDS = 4
const MIN_ONSETS = 1
const minCorrelation = (seconds: number) => 0.04 + 0.25 / Math.sqrt(seconds)

/**
 * The longest lag in seconds that is used to refine the tempo, and the maximum distance, in envelope values, between a peak and its
 * expected lag.
 */
const TEMPO_REFINEMENT = { maxLagS: 40, radius: 3 }

/**
 * Returns the tempo in beats per minute, 50 to 220; undefined if there is no beat. It may be half or double of the real one. A tempo scores
 * by the autocorrelation of the onset envelope at its period, which is also high at multiples of the period, times the power at its
 * frequency, which is also high at fractions of the period (Peeters, "Template-based estimation of time-varying tempo", EURASIP Journal on
 * Advances in Signal Processing, 2007).
 */
export function detectBeat(samples: Float32Array, sampleRate: number): number | undefined {
  const seconds = samples.length / sampleRate
  return seconds < MIN_SECONDS ? undefined : tempoOf(computeOnsetEnvelope(samples, sampleRate), seconds)
}

function tempoOf(envelope: OnsetEnvelope, seconds: number): number | undefined {
  if (rootMeanSquare(envelope.values) < MIN_ONSETS) return undefined
  const { correlation, power } = analyseWindows(envelope.values)
  let bestCandidate = { bpm: 0, score: 0, correlation: 0 }
  for (let bpm = TEMPO_CANDIDATES_BPM.from; bpm <= TEMPO_CANDIDATES_BPM.to; bpm *= TEMPO_CANDIDATES_BPM.ratio) {
    const periodCorrelation = correlationAt((60 * envelope.rate) / bpm, correlation)
    const powerOfBeat = interpolate(power, (bpm * 2 * WINDOW_VALUES) / (60 * envelope.rate))
    const distance = Math.log2(bpm / TEMPO_PRIOR.bpm) / TEMPO_PRIOR.octaves
    const score = Math.max(0, periodCorrelation) * powerOfBeat ** POWER_EXPONENT * Math.exp(-0.5 * distance * distance)
    if (score > bestCandidate.score) bestCandidate = { bpm, score, correlation: periodCorrelation }
  }
  if (bestCandidate.correlation < minCorrelation(seconds)) return undefined
  return (60 * envelope.rate) / refinePeriod((60 * envelope.rate) / bestCandidate.bpm, envelope)
}

/**
 * Two means over all windows: the autocorrelation by lag, which is 1 at lag 0, and the power by frequency bin. The transforms are twice as
 * long as a window.
 */
interface Analysis {
  readonly correlation: Float64Array
  readonly power: Float64Array
}

function analyseWindows(values: Float64Array): Analysis {
  const correlation = new Float64Array(WINDOW_VALUES)
  const power = new Float64Array(WINDOW_VALUES)
  let start = 0
  do {
    const window = autocorrelate(values.subarray(start, start + WINDOW_VALUES), 2 * WINDOW_VALUES)
    for (let i = 0; i < WINDOW_VALUES; i++) {
      correlation[i] = valueAt(correlation, i) + valueAt(window.correlation, i)
      power[i] = valueAt(power, i) + valueAt(window.power, i)
    }
    start += WINDOW_VALUES / 2
  } while (start + WINDOW_VALUES <= values.length)
  const windows = start / (WINDOW_VALUES / 2)
  return { correlation: correlation.map((value) => value / windows), power }
}

/**
 * Returns the autocorrelation of the values less their mean, by the Wiener-Khinchin theorem: 1 at lag 0, unbiased at lags up to three quarters of the
 * values; and the power spectrum with a sum of 1. All are 0 if the values are equal.
 *
 * @param length the length of the transform: a power of two, at least twice the number of values
 */
function autocorrelate(values: Float64Array, length: number): Analysis {
  const transform = createComplexArray(length)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  values.forEach((value, index) => {
    transform.re[index] = value - mean
  })
  fft(transform)
  const power = transform.re.map((re, bin) => re * re + valueAt(transform.im, bin) ** 2)
  const powerSum = power.reduce((total, value) => total + value, 0) || 1
  transform.re.set(power.map((value) => value / powerSum))
  transform.im.fill(0)
  fft(transform)
  const correlation = transform.re.map((value, lag) => (value * values.length) / Math.max(values.length - lag, values.length / 4))
  return { correlation, power: power.map((value) => value / powerSum) }
}

/** Returns the weighted mean of the autocorrelation at the first multiples of a period. */
function correlationAt(period: number, correlation: Float64Array): number {
  let weightedSum = 0
  let weights = 0
  for (let multiple = 1; multiple <= COMPARED_PERIODS && multiple * period < 0.75 * WINDOW_VALUES; multiple++) {
    const weight = 1 / Math.sqrt(multiple)
    weightedSum += weight * interpolate(correlation, multiple * period)
    weights += weight
  }
  return weightedSum / weights
}

/**
 * Refines a period by the peaks of the autocorrelation at 1, 2, 4, 8 … times the period: the higher the multiple, the smaller the relative
 * error of the period. Multiples without a peak are skipped: a peak is missing if no notes fall on single beats, or if the tempo drifts.
 */
function refinePeriod(period: number, { values, rate }: OnsetEnvelope): number {
  const { correlation } = autocorrelate(values, 2 ** Math.ceil(Math.log2(2 * values.length)))
  const maxLag = Math.min(values.length / 2, TEMPO_REFINEMENT.maxLagS * rate)
  let refinedPeriod = period
  for (let periods = 1; periods * period <= maxLag; periods *= 2) {
    const peakLag = findPeak(correlation, periods * refinedPeriod)
    if (peakLag !== undefined) refinedPeriod = peakLag / periods
  }
  return refinedPeriod
}

/**
 * Returns the lag of the highest autocorrelation near a given lag, interpolated by a parabola through three values; undefined if the
 * highest value is not a peak above 0.
 */
function findPeak(correlation: Float64Array, expectedLag: number): number | undefined {
  let peak = Math.round(expectedLag) - TEMPO_REFINEMENT.radius
  for (let lag = peak + 1; lag <= Math.round(expectedLag) + TEMPO_REFINEMENT.radius; lag++)
    if (valueAt(correlation, lag) > valueAt(correlation, peak)) peak = lag
  const [before, highest, after] = [valueAt(correlation, peak - 1), valueAt(correlation, peak), valueAt(correlation, peak + 1)]
  if (highest <= 0 || before >= highest || after > highest) return undefined
  return peak + (before - after) / (2 * (before - 2 * highest + after))
}

/** Interpolates linearly between two values. */
function interpolate(values: Float64Array, fractionalIndex: number): number {
  const index = Math.floor(fractionalIndex)
  return valueAt(values, index) + (valueAt(values, index + 1) - valueAt(values, index)) * (fractionalIndex - index)
}
