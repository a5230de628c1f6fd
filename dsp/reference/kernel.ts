import type { Kernel } from '../kernel.ts'
import { filter } from './biquad.ts'
import { addInverse, allocateSpectrum, multiplyAdd, transform } from './convolve.ts'
import { peak, quantise } from './levels.ts'
import { resample } from './resample.ts'

/** The kernel in plain TypeScript, for machines without WebAssembly SIMD and as the oracle of the compiled one's tests. */
export const referenceKernel: Kernel = {
  allocate: (samples) => new Float32Array(samples),
  resample,
  filter,
  allocateSpectrum,
  transform,
  multiplyAdd,
  addInverse,
  peak,
  quantise,
}
