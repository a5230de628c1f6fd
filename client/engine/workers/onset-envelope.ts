import { type ComplexArray, createComplexArray, fft } from '../../../dsp/fft.ts'

/** The time between two values of the envelope in seconds, approximately. */
const HOP_S = 0.0116
/** The length of a spectrum in seconds, approximately: a transform has a power of two of samples. */
const SPECTRUM_S = 0.046
/** The bands of the envelope: their number, and the range of frequencies that they divide into equal musical intervals. */
const FREQUENCY_BANDS = { count: 24, fromHz: 40, toHz: 10_000 }
/**
 * The factor by which the amplitude of a band is compressed: log(1 + COMPRESSION x amplitude). The samples are scaled to a root mean square
 * of 1.
 */
const LOG_COMPRESSION_FACTOR = 100
/** The length in seconds of the window over which the local mean is computed. */
const MEAN_S = 0.6

/** The strength of onsets over time. */
export interface OnsetEnvelope {
  /** Onset strengths of at least 0, which do not depend on the level of the samples. Noise has a root mean square of 0.8, drums of 8. */
  readonly values: Float64Array
  /** The number of values per second. */
  readonly rate: number
}

/**
 * Computes how much louder the bands of the spectrum become from hop to hop: the spectral flux of compressed bands, less its local mean (Klapuri,
 * Eronen and Astola, "Analysis of the meter of acoustic musical signals", IEEE TASLP 14 (1), 2006, section II-A).
 *
 * @param samples one channel, at any level
 */
export function computeOnsetEnvelope(samples: Float32Array, sampleRate: number): OnsetEnvelope {
  const hopFrames = Math.round(sampleRate * HOP_S)
  const length = 2 ** Math.round(Math.log2(sampleRate * SPECTRUM_S))
  const hops = Math.max(0, Math.floor((samples.length - length) / hopFrames) + 1)
  const flux = new Float64Array(hops)
  const bandOfBin = bandsOf(length, sampleRate)
  const hannWindow = Float64Array.from({ length }, (_, n) => (1 - Math.cos((2 * Math.PI * (n + 0.5)) / length)) / length)
  const gain = LOG_COMPRESSION_FACTOR / (rootMeanSquare(samples) || 1)
  const spectrum = createComplexArray(length)
  let previousLevels = new Float64Array(FREQUENCY_BANDS.count)
  let levels = new Float64Array(FREQUENCY_BANDS.count)
  // One complex transform computes the spectra of two hops, because the samples are real numbers.
  for (let hop = 0; hop < hops; hop += 2) {
    const start = hop * hopFrames
    const secondStart = hop + 1 < hops ? start + hopFrames : start
    for (let n = 0; n < length; n++) {
      const weight = valueAt(hannWindow, n)
      spectrum.re[n] = weight * valueAt(samples, start + n)
      spectrum.im[n] = weight * valueAt(samples, secondStart + n)
    }
    fft(spectrum)
    for (let hopOfPair = 0; hopOfPair < 2 && hop + hopOfPair < hops; hopOfPair++) {
      measureBands(spectrum, hopOfPair, bandOfBin, levels)
      let rise = 0
      for (let band = 0; band < levels.length; band++) {
        levels[band] = Math.log1p(gain * Math.sqrt(valueAt(levels, band)))
        rise += Math.max(0, valueAt(levels, band) - valueAt(previousLevels, band))
      }
      // The first hop has no earlier level with which it could be compared.
      flux[hop + hopOfPair] = hop + hopOfPair === 0 ? 0 : rise
      ;[previousLevels, levels] = [levels, previousLevels]
    }
  }
  const rate = sampleRate / hopFrames
  return { values: aboveMean(flux, Math.round(MEAN_S * rate)), rate }
}

/**
 * Writes the power of each band to `powers`: the power of the samples that were in the real part of the transform if `hopOfPair` is 0, or in the
 * imaginary part if `hopOfPair` is 1. The two spectra are the even and the odd part of the result (Press et al., "Numerical Recipes", section
 * 12.3).
 */
function measureBands({ re, im }: ComplexArray, hopOfPair: number, bandOfBin: Int8Array, powers: Float64Array) {
  powers.fill(0)
  const length = re.length
  const sign = hopOfPair === 0 ? 1 : -1
  for (let bin = 1; bin < bandOfBin.length; bin++) {
    const band = bandOfBin[bin] ?? -1
    if (band < 0) continue
    const mirroredBin = length - bin
    const real = valueAt(re, bin) + sign * valueAt(re, mirroredBin)
    const imaginary = valueAt(im, bin) - sign * valueAt(im, mirroredBin)
    powers[band] = valueAt(powers, band) + real * real + imaginary * imaginary
  }
}

/** Returns the index of the band of each frequency bin up to half of the sampling rate; -1 for a bin outside all bands. */
function bandsOf(length: number, sampleRate: number): Int8Array {
  const octaves = Math.log2(FREQUENCY_BANDS.toHz / FREQUENCY_BANDS.fromHz)
  return Int8Array.from({ length: length / 2 }, (_, bin) => {
    const position = Math.log2((bin * sampleRate) / length / FREQUENCY_BANDS.fromHz) / octaves
    return position >= 0 && position < 1 ? Math.floor(position * FREQUENCY_BANDS.count) : -1
  })
}

/** Returns by how much each value exceeds the mean of the `width` values around it; 0 if a value does not exceed the mean. */
function aboveMean(values: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let i = 0; i < values.length; i++) sums[i + 1] = valueAt(sums, i) + valueAt(values, i)
  return values.map((value, index) => {
    const from = Math.max(0, index - (width >> 1))
    const to = Math.min(values.length, from + width)
    return Math.max(0, value - (valueAt(sums, to) - valueAt(sums, from)) / (to - from))
  })
}

export function rootMeanSquare(values: Float32Array | Float64Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum / Math.max(1, values.length))
}

/** Reads an element whose index is known to be in range. */
export const valueAt = (values: Float64Array | Float32Array, index: number): number => values[index] as number
