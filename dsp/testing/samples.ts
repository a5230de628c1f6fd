import { expect } from 'vitest'

/** Returns the largest difference of two samples at the same index; NaN if a sample is missing. */
export const largestDifference = (output: Float32Array, expectedSamples: Float32Array): number =>
  output.reduce((maxDifference, value, index) => Math.max(maxDifference, Math.abs(value - (expectedSamples[index] ?? Number.NaN))), 0)

/** Expects that all samples have the same bits. It takes far less time than `toEqual` on long arrays. */
export function expectSameSamples(output: Float32Array, expectedSamples: Float32Array): void {
  const firstDifference = output.findIndex((sample, index) => !Object.is(sample, expectedSamples[index]))
  expect({ length: output.length, firstDifference }).toEqual({ length: expectedSamples.length, firstDifference: -1 })
}
