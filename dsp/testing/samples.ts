import { expect } from 'vitest'

/** Returns the largest difference between samples at the same index, or NaN if a sample is missing. */
export const findLargestDifference = (output: Float32Array, expectedSamples: Float32Array): number =>
  output.reduce((maxDifference, value, index) => Math.max(maxDifference, Math.abs(value - (expectedSamples[index] ?? Number.NaN))), 0)

/** Expects that all samples have the same bits. `toEqual` would take far longer on long arrays. */
export function expectSameSamples(outputSamples: Float32Array, expectedSamples: Float32Array): void {
  const firstDifference = outputSamples.findIndex((sample, index) => !Object.is(sample, expectedSamples[index]))
  expect({ length: outputSamples.length, firstDifference }).toEqual({ length: expectedSamples.length, firstDifference: -1 })
}
