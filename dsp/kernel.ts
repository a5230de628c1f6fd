import type { Biquad } from './biquad.ts'
import type { ResamplerDesign } from './resampler-design.ts'
import type { Source } from './source.ts'

/** Frames of output that one step of the convolution takes: half of its transform. */
export const CELL_FRAMES = 2 ** 15

/** The spectrum of two cells. In which order the bins stand is the kernel's own affair. */
export interface Spectrum {
  readonly re: Float32Array
  readonly im: Float32Array
}

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
  /** Filters interleaved samples in place, from rest. */
  filter(biquad: Biquad, samples: Float32Array, channels: number): void
  /** A spectrum for `transform` to fill. @throws RangeError when the memory is used up */
  allocateSpectrum(): Spectrum
  /** The spectrum of two interleaved cells, one after the other, of one or two channels: left is the real part, right the imaginary. */
  transform(first: Float32Array, second: Float32Array, channels: number, into: Spectrum): void
  /** sum += a x b */
  multiplyAdd(a: Spectrum, b: Spectrum, sum: Spectrum): void
  /** Adds the second of the two cells of `spectrum` x `gain` to an interleaved cell. The spectrum is used up. */
  addInverse(spectrum: Spectrum, gain: number, cell: Float32Array, channels: number): void
  /** The largest magnitude. */
  peak(samples: Float32Array): number
  /** 16-bit samples of `samples` x `gain` with dither; `firstSample` is the index of the first in the whole sound (frame x channels). */
  quantise(samples: Float32Array, gain: number, firstSample: number, output: Int16Array): void
}
