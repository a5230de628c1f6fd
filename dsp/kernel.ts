import type { ResamplerDesign } from './resampler-design.ts'
import type { Source } from './source.ts'

/**
 * The arithmetic over every sample. There are two: compiled (dsp/wasm) and in plain TypeScript (dsp/reference), which agree within 2^-20 of
 * full scale. Each call depends on nothing but its arguments. Interleaved samples are frame by frame, a sample of each channel.
 */
export interface Kernel {
  /** An array on which this kernel works fastest: the compiled one then copies nothing. @throws RangeError when its memory is used up */
  allocate(samples: number): Float32Array
  /**
   * Output frames from `firstFrame` on, interleaved, with as many channels as the source has, until `output` is full. The source is silent
   * outside its part: `sourceRange` says which part is needed.
   */
  resample(design: ResamplerDesign, source: Source, firstFrame: number, output: Float32Array): void
  /** The largest magnitude. */
  peak(samples: Float32Array): number
  /** 16-bit samples of `samples` x `gain` with dither; `firstSample` is the index of the first in the whole sound (frame x channels). */
  quantise(samples: Float32Array, gain: number, firstSample: number, output: Int16Array): void
}
