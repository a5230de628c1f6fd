/** The measured levels of a tone after resampling. */
export interface ToneLevels {
  /** Level of the expected tone in the output, in dB relative to the input tone; -200 if the tone is beyond half the sampling rate. */
  readonly toneDb: number
  /** Level of the residual (noise, distortion and aliases), in dB relative to the input tone. */
  readonly residualDb: number
}

interface Tone {
  /** The index of the first resampled frame that is measured. */
  readonly firstFrame: number
  /** How many frames of the resampler's output are measured. */
  readonly frames: number
  /** Frequency of the input tone in Hz, at a sampling rate of 44.1 kHz. */
  readonly hz: number
  readonly rate: number
  readonly amplitude: number
}

const SAMPLE_RATE = 44_100

/** Measures a resampled tone: fits a cos + b sin by least squares, and takes the residual as noise, distortion and aliases. */
export function measureTone(outputSamples: Float32Array, { firstFrame, frames, hz, rate, amplitude }: Tone): ToneLevels {
  const radiansPerFrame = (2 * Math.PI * hz * rate) / SAMPLE_RATE
  const isBelowNyquist = radiansPerFrame < Math.PI
  let [cosCosSum, sinSinSum, cosSinSum, outputCosSum, outputSinSum, outputSquareSum] = [0, 0, 0, 0, 0, 0]
  for (let frame = firstFrame; frame < firstFrame + frames; frame++) {
    const [cosine, sine, outputSample] = [Math.cos(radiansPerFrame * frame), Math.sin(radiansPerFrame * frame), outputSamples[frame] ?? 0]
    cosCosSum += cosine * cosine
    sinSinSum += sine * sine
    cosSinSum += cosine * sine
    outputCosSum += outputSample * cosine
    outputSinSum += outputSample * sine
    outputSquareSum += outputSample * outputSample
  }
  const normalDeterminant = cosCosSum * sinSinSum - cosSinSum * cosSinSum
  const cosAmplitude = isBelowNyquist ? (outputCosSum * sinSinSum - outputSinSum * cosSinSum) / normalDeterminant : 0
  const sinAmplitude = isBelowNyquist ? (outputSinSum * cosCosSum - outputCosSum * cosSinSum) / normalDeterminant : 0
  let residualEnergy = 0
  for (let frame = firstFrame; frame < firstFrame + frames; frame++)
    residualEnergy +=
      ((outputSamples[frame] ?? 0) - cosAmplitude * Math.cos(radiansPerFrame * frame) - sinAmplitude * Math.sin(radiansPerFrame * frame)) **
      2
  const inputEnergy = (frames * amplitude ** 2) / 2
  const toRelativeDb = (energy: number) => 10 * Math.log10(Math.max(1e-20, energy / inputEnergy))
  return { toneDb: toRelativeDb(outputSquareSum - residualEnergy), residualDb: toRelativeDb(residualEnergy) }
}
