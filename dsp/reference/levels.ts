import { hashIndex } from '../hash.ts'

/** Returns the largest absolute sample value. */
export function findPeak(samples: Float32Array): number {
  let largestValue = 0
  for (const sample of samples) largestValue = Math.max(largestValue, Math.abs(sample))
  return largestValue
}

/**
 * Quantises `samples` x `gainFactor` to 16 bits with triangular dither over ±1 LSB, which makes the error's mean and variance independent of the signal
 * (Lipshitz, Wannamaker and Vanderkooy, "Quantization and dither: a theoretical survey", JAES 40, 1992). `firstSampleIndex` is that of the first
 * sample in the sound. Every step is rounded to single precision, so that the result is bit-identical with the compiled kernel.
 */
export function quantise(samples: Float32Array, gainFactor: number, firstSampleIndex: number, outputSamples: Int16Array): void {
  const fullScale = Math.fround(Math.fround(gainFactor) * 32_768)
  samples.forEach((sample, index) => {
    const value = Math.fround(Math.fround(sample * fullScale) + computeDither(firstSampleIndex + index))
    outputSamples[index] = Math.max(-32_768, Math.min(32_767, roundHalfToEven(value)))
  })
}

/**
 * Returns the dither of a sample in LSB: the difference of two uniform 16-bit numbers, the halves of a hash of the sample's index. The
 * dither depends on the index only.
 */
export function computeDither(sampleIndex: number): number {
  const bits = hashIndex(sampleIndex)
  return ((bits & 0xffff) - (bits >>> 16)) / 65_536
}

/** Rounds to the nearest integer, ties to even: adding 1.5 x 2^23 in single precision removes the fraction. Values above 2^22 exceed 16 bits anyway. */
const roundHalfToEven = (value: number): number => (Math.abs(value) < 2 ** 22 ? Math.fround(value + 12_582_912) - 12_582_912 : value)
