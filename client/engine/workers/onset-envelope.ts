import { type ComplexArray, createComplexArray, fft } from '../../../dsp/fft.ts'

/** The time between two values of the envelope in seconds, approximately. */
const HOP_S = 0.0116
/** The length of a spectrum in seconds, approximately: a transform has a power of two of samples. */
const SPECTRUM_LENGTH_S = 0.046
/** The bands of the envelope: their number, and the range of frequencies that they divide into equal musical intervals. */
const FREQUENCY_BANDS = { count: 24, fromHz: 40, toHz: 10_000 }
/**
 * The factor by which a band's amplitude is compressed: log(1 + LOG_COMPRESSION_FACTOR x amplitude). The samples are scaled to a root mean square
 * of 1.
 */
const LOG_COMPRESSION_FACTOR = 100
/** The length in seconds of the window over which the local mean is computed. */
const MEAN_WINDOW_S = 0.6

/** The strength of onsets over time. */
export interface OnsetEnvelope {
  /** Onset strengths of at least 0, which do not depend on the level of the samples. Noise has a root mean square of 0.8, drums of 8. */
  readonly values: Float64Array
  /** The number of values per second. */
  readonly valuesPerSecond: number
}

/**
 * Computes how much louder the bands of the spectrum become from hop to hop: the spectral flux of compressed bands, less its local mean (Klapuri,
 * Eronen and Astola, "Analysis of the meter of acoustic musical signals", IEEE TASLP 14 (1), 2006, section II-A).
 *
 * @param samples one channel, at any level
 */
export function computeOnsetEnvelope(samples: Float32Array, sampleRate: number): OnsetEnvelope {
  const hopFrames = Math.round(sampleRate * HOP_S)
  const transformLength = 2 ** Math.round(Math.log2(sampleRate * SPECTRUM_LENGTH_S))
  const hopCount = Math.max(0, Math.floor((samples.length - transformLength) / hopFrames) + 1)
  const spectralFlux = new Float64Array(hopCount)
  const bandIndexByBin = createBandIndexes(transformLength, sampleRate)
  const hannWindow = Float64Array.from(
    { length: transformLength },
    (_, n) => (1 - Math.cos((2 * Math.PI * (n + 0.5)) / transformLength)) / transformLength,
  )
  const compressionGain = LOG_COMPRESSION_FACTOR / (computeRootMeanSquare(samples) || 1)
  const spectrum = createComplexArray(transformLength)
  let previousLevels = new Float64Array(FREQUENCY_BANDS.count)
  let bandLevels = new Float64Array(FREQUENCY_BANDS.count)
  // One complex transform computes the spectra of two hops, because the samples are real numbers.
  for (let hopIndex = 0; hopIndex < hopCount; hopIndex += 2) {
    const startFrame = hopIndex * hopFrames
    const secondHopStartFrame = hopIndex + 1 < hopCount ? startFrame + hopFrames : startFrame
    for (let sampleIndex = 0; sampleIndex < transformLength; sampleIndex++) {
      const weight = readValueAt(hannWindow, sampleIndex)
      spectrum.re[sampleIndex] = weight * readValueAt(samples, startFrame + sampleIndex)
      spectrum.im[sampleIndex] = weight * readValueAt(samples, secondHopStartFrame + sampleIndex)
    }
    fft(spectrum)
    for (let hopOfPair = 0; hopOfPair < 2 && hopIndex + hopOfPair < hopCount; hopOfPair++) {
      measureBands(spectrum, hopOfPair, bandIndexByBin, bandLevels)
      let levelRise = 0
      for (let band = 0; band < bandLevels.length; band++) {
        bandLevels[band] = Math.log1p(compressionGain * Math.sqrt(readValueAt(bandLevels, band)))
        levelRise += Math.max(0, readValueAt(bandLevels, band) - readValueAt(previousLevels, band))
      }
      // The first hop has no earlier level with which it could be compared.
      spectralFlux[hopIndex + hopOfPair] = hopIndex + hopOfPair === 0 ? 0 : levelRise
      ;[previousLevels, bandLevels] = [bandLevels, previousLevels]
    }
  }
  const rate = sampleRate / hopFrames
  return { values: subtractMean(spectralFlux, Math.round(MEAN_WINDOW_S * rate)), valuesPerSecond: rate }
}

/**
 * Writes the power of each band to `bandPowers`: the power of the samples that were in the real part of the transform if `hopInPair` is 0, or in the
 * imaginary part if `hopInPair` is 1. The two spectra are the even and the odd part of the result (Press et al., "Numerical Recipes", section
 * 12.3).
 */
function measureBands({ re, im }: ComplexArray, hopInPair: number, bandOfBin: Int8Array, bandPowers: Float64Array) {
  bandPowers.fill(0)
  const transformLength = re.length
  const pairSign = hopInPair === 0 ? 1 : -1
  for (let binIndex = 1; binIndex < bandOfBin.length; binIndex++) {
    const bandIndex = bandOfBin[binIndex] ?? -1
    if (bandIndex < 0) continue
    const mirroredBin = transformLength - binIndex
    const real = readValueAt(re, binIndex) + pairSign * readValueAt(re, mirroredBin)
    const imaginary = readValueAt(im, binIndex) - pairSign * readValueAt(im, mirroredBin)
    bandPowers[bandIndex] = readValueAt(bandPowers, bandIndex) + real * real + imaginary * imaginary
  }
}

/** Returns the index of the band of each frequency bin up to half of the sampling rate; -1 for a bin outside all bands. */
function createBandIndexes(transformLength: number, sampleRate: number): Int8Array {
  const octaveCount = Math.log2(FREQUENCY_BANDS.toHz / FREQUENCY_BANDS.fromHz)
  return Int8Array.from({ length: transformLength / 2 }, (_, binIndex) => {
    const position = Math.log2((binIndex * sampleRate) / transformLength / FREQUENCY_BANDS.fromHz) / octaveCount
    return position >= 0 && position < 1 ? Math.floor(position * FREQUENCY_BANDS.count) : -1
  })
}

/** Returns by how much each value exceeds the mean of the `windowLength` values around it; 0 if a value does not exceed the mean. */
function subtractMean(onsetValues: Float64Array, windowLength: number): Float64Array {
  const runningSums = new Float64Array(onsetValues.length + 1)
  for (let i = 0; i < onsetValues.length; i++) runningSums[i + 1] = readValueAt(runningSums, i) + readValueAt(onsetValues, i)
  return onsetValues.map((onsetValue, index) => {
    const from = Math.max(0, index - (windowLength >> 1))
    const to = Math.min(onsetValues.length, from + windowLength)
    return Math.max(0, onsetValue - (readValueAt(runningSums, to) - readValueAt(runningSums, from)) / (to - from))
  })
}

export function computeRootMeanSquare(numberArray: Float32Array | Float64Array): number {
  let sum = 0
  for (const value of numberArray) sum += value * value
  return Math.sqrt(sum / Math.max(1, numberArray.length))
}

/** Reads an element whose index is known to be in range. */
export const readValueAt = (values: Float64Array | Float32Array, index: number): number => values[index] as number
