import type { Biquad } from './biquad.ts'
import type { ResamplerDesign } from './resampler-design.ts'

/**
 * A range of a decoded sound: samples of one or two channels of equal length, full scale ±1. Frames outside the range count as silence, so the
 * range must include `computeSourceRange`.
 */
export interface KernelSource {
  readonly channels: readonly [left: Float32Array] | readonly [left: Float32Array, right: Float32Array]
  /** The index of the range's first frame in the sound. */
  readonly startFrame: number
}

/** The number of frames in a cell: the block size of the partitioned convolution, half of its transform length. */
export const CELL_FRAMES = 2 ** 15

/** The maximum number of output frames that are rendered as one job (a segment), a multiple of CELL_FRAMES. */
export const SEGMENT_FRAMES = 2 ** 17

/** Spectrum of two cells (2 x CELL_FRAMES values). The order of its bins depends on the kernel. */
export interface Spectrum {
  readonly re: Float32Array
  readonly im: Float32Array
}

/**
 * Arithmetic over samples. There are two kernels, WebAssembly (dsp/wasm) and plain TypeScript (dsp/reference). They agree within 2^-20 of full
 * scale. Methods are pure functions of their arguments. Interleaved arrays hold one sample of each channel per frame.
 */
export interface Kernel {
  /** Allocates an array in the kernel's memory, which kernel methods use without copying. @throws RangeError if the memory is exhausted */
  allocate(sampleCount: number): Float32Array
  /**
   * Fills `output` with output frames from `firstFrame`, interleaved, with the source's number of channels. Frames outside the source's range
   * count as silence; `computeSourceRange` returns the range that is read.
   */
  resample(design: ResamplerDesign, source: KernelSource, firstFrame: number, output: Float32Array): void
  /** Filters interleaved samples in place, with zero initial state. */
  filter(biquad: Biquad, samples: Float32Array, channels: number): void
  /** Allocates a spectrum for `transform`. @throws RangeError if the memory is exhausted */
  allocateSpectrum(): Spectrum
  /** Computes the spectrum of two consecutive cells of CELL_FRAMES interleaved frames; left is the real part, right, if any, the imaginary part. */
  transform(first: Float32Array, second: Float32Array, channels: number, into: Spectrum): void
  /** Computes the spectrum of at most CELL_FRAMES complex values followed by silence. */
  transformResponse(re: Float32Array, im: Float32Array, into: Spectrum): void
  /** Adds the complex product of two spectra to a third one: sum += a x b. */
  multiplyAdd(a: Spectrum, b: Spectrum, sum: Spectrum): void
  /** Adds `gain` times the second half of the inverse transform to a cell of CELL_FRAMES interleaved frames. Overwrites `spectrum`. */
  addInverse(spectrum: Spectrum, gain: number, cell: Float32Array, channels: number): void
  /** Returns the largest absolute sample value. */
  measurePeak(samples: Float32Array): number
  /** Quantises `samples` x `gain` to 16 bits with TPDF dither. `firstSampleIndex` is the first sample's index in the sound (frame x channels). */
  quantise(samples: Float32Array, gain: number, firstSampleIndex: number, output: Int16Array): void
}
