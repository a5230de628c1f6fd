import type { Kernel } from '../kernel.ts'
import { filter } from './biquad.ts'
import { addInverse, allocateSpectrum, multiplyAdd, transform, transformResponse } from './convolve.ts'
import { findPeak, quantise } from './levels.ts'
import { resample } from './resample.ts'

/** Implements the kernel in plain TypeScript, for browsers without WebAssembly SIMD and as the reference in tests of the compiled kernel. */
export const referenceKernel: Kernel = {
  allocate: (sampleCount) => new Float32Array(sampleCount),
  resample,
  filter,
  allocateSpectrum,
  transform,
  transformResponse,
  multiplyAdd,
  addInverse,
  measurePeak: findPeak,
  quantise,
}
