/**
 * The functions that the compiled kernel exports (dsp/assembly/kernel.ts). Addresses are in bytes and multiples of 16; counts and lengths
 * are in values.
 */
export interface KernelExports {
  forward64(re: number, im: number, length: number, twiddles: number): void
  multiplyDemote(aRe: number, aIm: number, bRe: number, bIm: number, productRe: number, productIm: number, length: number): void
  forward32(re: number, im: number, length: number, twiddles: number): void
  inverse32(re: number, im: number, length: number, twiddles: number): void
  multiplyAdd32(aRe: number, aIm: number, bRe: number, bIm: number, sumRe: number, sumIm: number, length: number): void
  deinterleave(samples: number, re: number, im: number, frames: number): void
  addInterleaved(re: number, im: number, gain: number, samples: number, frames: number): void
  filter(samples: number, frames: number, b0: number, b1: number, b2: number, a1: number, a2: number): void
  promote(samples: number, out: number, length: number): void
  interleave(wholeFrames: number, halfFrames: number, out: number, length: number): void
  interpolate(
    left: number,
    right: number,
    table: number,
    taps: number,
    position: number,
    step: number,
    skip: number,
    frames: number,
    out: number,
  ): void
  peak(samples: number, count: number): number
  quantise(samples: number, count: number, gain: number, firstSampleIndex: number, out: number): void
}
