import { createComplexArray, fft } from '../../../dsp/fft.ts'
import { computeOnsetEnvelope, computeRootMeanSquare, type OnsetEnvelope, readValueAt } from './onset-envelope.ts'

/** The tempos that are compared, in beats per minute: from `from` to `to`, each `ratio` times the previous one. */
const TEMPO_CANDIDATES_BPM = { from: 50, to: 220, ratio: 1.004 }
/** The weights of tempos: a normal distribution over octaves, because half and double of a tempo fit almost as well. */
const TEMPO_PRIOR = { bpm: 115, octaves: 0.7 }
/** The number of envelope values in a window: 12 s, so that the tempo may drift between windows. A power of two. */
const WINDOW_VALUE_COUNT = 1024
/** The number of periods over which the autocorrelation of a tempo is averaged. */
const AVERAGED_PERIOD_COUNT = 4
/** The exponent that reduces the weight of the power in the score, because the power is less reliable than the autocorrelation. */
const POWER_EXPONENT = 0.15

/**
 * A sound has no beat if it is too short, if its onsets are too weak (root mean square: noise, tones and pads have 0.5 to 0.9, songs over 1.2), or if
 * they repeat too little (mean autocorrelation: noise and speech have 0.02 in 2 minutes, 0.04 in 30 s and up to 0.11 in 10 s; songs 0.2 to 0.9).
 */
const MIN_SOUND_SECONDS = 4
const MIN_ONSET_RMS = 1
const computeMinCorrelation = (seconds: number) => 0.04 + 0.25 / Math.sqrt(seconds)

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
  return seconds < MIN_SOUND_SECONDS ? undefined : findTempo(computeOnsetEnvelope(samples, sampleRate), seconds)
}

function findTempo(envelope: OnsetEnvelope, envelopeSeconds: number): number | undefined {
  if (computeRootMeanSquare(envelope.values) < MIN_ONSET_RMS) return undefined
  const { correlation, power } = analyseWindows(envelope.values)
  let bestCandidate = { bpm: 0, score: 0, correlation: 0 }
  for (let candidateBpm = TEMPO_CANDIDATES_BPM.from; candidateBpm <= TEMPO_CANDIDATES_BPM.to; candidateBpm *= TEMPO_CANDIDATES_BPM.ratio) {
    const periodCorrelation = computeCorrelationAt((60 * envelope.valuesPerSecond) / candidateBpm, correlation)
    const powerOfBeat = interpolate(power, (candidateBpm * 2 * WINDOW_VALUE_COUNT) / (60 * envelope.valuesPerSecond))
    const distance = Math.log2(candidateBpm / TEMPO_PRIOR.bpm) / TEMPO_PRIOR.octaves
    const score = Math.max(0, periodCorrelation) * powerOfBeat ** POWER_EXPONENT * Math.exp(-0.5 * distance * distance)
    if (score > bestCandidate.score) bestCandidate = { bpm: candidateBpm, score, correlation: periodCorrelation }
  }
  if (bestCandidate.correlation < computeMinCorrelation(envelopeSeconds)) return undefined
  return (60 * envelope.valuesPerSecond) / refinePeriod((60 * envelope.valuesPerSecond) / bestCandidate.bpm, envelope)
}

/**
 * Two means over all windows: the autocorrelation by lag, which is 1 at lag 0, and the power by frequency bin. The transforms are twice as
 * long as a window.
 */
interface CorrelationAnalysis {
  readonly correlation: Float64Array
  readonly power: Float64Array
}

function analyseWindows(onsetValues: Float64Array): CorrelationAnalysis {
  const averageCorrelation = new Float64Array(WINDOW_VALUE_COUNT)
  const averagePower = new Float64Array(WINDOW_VALUE_COUNT)
  let windowStartIndex = 0
  do {
    const windowAnalysis = autocorrelate(
      onsetValues.subarray(windowStartIndex, windowStartIndex + WINDOW_VALUE_COUNT),
      2 * WINDOW_VALUE_COUNT,
    )
    for (let i = 0; i < WINDOW_VALUE_COUNT; i++) {
      averageCorrelation[i] = readValueAt(averageCorrelation, i) + readValueAt(windowAnalysis.correlation, i)
      averagePower[i] = readValueAt(averagePower, i) + readValueAt(windowAnalysis.power, i)
    }
    windowStartIndex += WINDOW_VALUE_COUNT / 2
  } while (windowStartIndex + WINDOW_VALUE_COUNT <= onsetValues.length)
  const windows = windowStartIndex / (WINDOW_VALUE_COUNT / 2)
  return { correlation: averageCorrelation.map((value) => value / windows), power: averagePower }
}

/**
 * Returns the autocorrelation of the values less their mean, by the Wiener-Khinchin theorem: 1 at lag 0, unbiased at lags up to three quarters of the
 * values; and the power spectrum with a sum of 1. All are 0 if the values are equal.
 *
 * @param transformLength the length of the transform: a power of two, at least twice the number of values
 */
function autocorrelate(onsetValues: Float64Array, transformLength: number): CorrelationAnalysis {
  const spectrum = createComplexArray(transformLength)
  const meanValue = onsetValues.reduce((sum, value) => sum + value, 0) / onsetValues.length
  onsetValues.forEach((value, index) => {
    spectrum.re[index] = value - meanValue
  })
  fft(spectrum)
  const powerSpectrum = spectrum.re.map((re, bin) => re * re + readValueAt(spectrum.im, bin) ** 2)
  const powerSum = powerSpectrum.reduce((total, value) => total + value, 0) || 1
  spectrum.re.set(powerSpectrum.map((value) => value / powerSum))
  spectrum.im.fill(0)
  fft(spectrum)
  const autocorrelation = spectrum.re.map(
    (value, lag) => (value * onsetValues.length) / Math.max(onsetValues.length - lag, onsetValues.length / 4),
  )
  return { correlation: autocorrelation, power: powerSpectrum.map((value) => value / powerSum) }
}

/** Returns the weighted mean of the autocorrelation at the first multiples of a period. */
function computeCorrelationAt(periodHops: number, autocorrelation: Float64Array): number {
  let weightedSum = 0
  let weightSum = 0
  for (
    let periodMultiple = 1;
    periodMultiple <= AVERAGED_PERIOD_COUNT && periodMultiple * periodHops < 0.75 * WINDOW_VALUE_COUNT;
    periodMultiple++
  ) {
    const weight = 1 / Math.sqrt(periodMultiple)
    weightedSum += weight * interpolate(autocorrelation, periodMultiple * periodHops)
    weightSum += weight
  }
  return weightedSum / weightSum
}

/**
 * Refines a period by the peaks of the autocorrelation at 1, 2, 4, 8 … times the period: the higher the multiple, the smaller the relative
 * error of the period. Multiples without a peak are skipped: a peak is missing if no notes fall on single beats, or if the tempo drifts.
 */
function refinePeriod(periodHops: number, { values, valuesPerSecond }: OnsetEnvelope): number {
  const { correlation } = autocorrelate(values, 2 ** Math.ceil(Math.log2(2 * values.length)))
  const maxLag = Math.min(values.length / 2, TEMPO_REFINEMENT.maxLagS * valuesPerSecond)
  let refinedPeriodHops = periodHops
  for (let periods = 1; periods * periodHops <= maxLag; periods *= 2) {
    const peakLag = findPeak(correlation, periods * refinedPeriodHops)
    if (peakLag !== undefined) refinedPeriodHops = peakLag / periods
  }
  return refinedPeriodHops
}

/**
 * Returns the lag of the highest autocorrelation near a given lag, interpolated by a parabola through three values; undefined if the
 * highest value is not a peak above 0.
 */
function findPeak(autocorrelation: Float64Array, expectedLag: number): number | undefined {
  let peakLag = Math.round(expectedLag) - TEMPO_REFINEMENT.radius
  for (let lag = peakLag + 1; lag <= Math.round(expectedLag) + TEMPO_REFINEMENT.radius; lag++)
    if (readValueAt(autocorrelation, lag) > readValueAt(autocorrelation, peakLag)) peakLag = lag
  const [valueBefore, peakValue, valueAfter] = [
    readValueAt(autocorrelation, peakLag - 1),
    readValueAt(autocorrelation, peakLag),
    readValueAt(autocorrelation, peakLag + 1),
  ]
  if (peakValue <= 0 || valueBefore >= peakValue || valueAfter > peakValue) return undefined
  return peakLag + (valueBefore - valueAfter) / (2 * (valueBefore - 2 * peakValue + valueAfter))
}

/** Interpolates linearly between two values. */
function interpolate(lagValues: Float64Array, fractionalIndex: number): number {
  const index = Math.floor(fractionalIndex)
  return readValueAt(lagValues, index) + (readValueAt(lagValues, index + 1) - readValueAt(lagValues, index)) * (fractionalIndex - index)
}
