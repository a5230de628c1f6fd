import { hash } from '../hash.ts'

/** The largest magnitude among the samples. */
export function peak(samples: Float32Array): number {
  let largest = 0
  for (const sample of samples) largest = Math.max(largest, Math.abs(sample))
  return largest
}

/**
 * 16-bit samples of `samples` x `gain`, with dither of triangular density over ±1 step: the error then has no tone in it (Lipshitz,
 * Wannamaker and Vanderkooy, "Quantization and dither: a theoretical survey", JAES 40, 1992). `firstSample` is the index of the first in the
 * whole sound. The same bits as the compiled kernel: every step is rounded to single precision.
 */
export function quantise(samples: Float32Array, gain: number, firstSample: number, output: Int16Array): void {
  const scale = Math.fround(Math.fround(gain) * 32_768)
  samples.forEach((sample, index) => {
    const value = Math.fround(Math.fround(sample * scale) + dither(firstSample + index))
    output[index] = Math.max(-32_768, Math.min(32_767, roundHalfToEven(value)))
  })
}

/**
 * The difference of two even random numbers of 16 bits, in steps of a 16-bit sample: both halves of a hash of the sample's index, so that it
 * depends on the place alone.
 */
export function dither(index: number): number {
  const bits = hash(index)
  return ((bits & 0xffff) - (bits >>> 16)) / 65_536
}

/** Adding 1.5 x 2^23 leaves no room for a fraction in single precision. Above 2^22 every value is far beyond 16 bits anyway. */
const roundHalfToEven = (value: number): number => (Math.abs(value) < 2 ** 22 ? Math.fround(value + 12_582_912) - 12_582_912 : value)
