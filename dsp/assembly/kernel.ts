import { forward, inverse } from './fft'
import { multiplyAdd } from './spectrum'

// Exports the functions of the compiled kernel. The caller (dsp/wasm) allocates and imports the memory, and passes byte addresses.
// biome-ignore lint/performance/noBarrelFile: a WebAssembly module exports what its entry file exports
export { filter } from './biquad'
export { addInterleaved, deinterleave } from './convolve'
export { peak, quantise } from './levels'
export { interleave, interpolate, promote } from './resample'
export { multiplyDemote } from './spectrum'

export function forward64(re: usize, im: usize, length: i32, twiddles: usize): void {
  forward<f64>(re, im, length, twiddles)
}

export function forward32(re: usize, im: usize, length: i32, twiddles: usize): void {
  forward<f32>(re, im, length, twiddles)
}

export function inverse32(re: usize, im: usize, length: i32, twiddles: usize): void {
  inverse<f32>(re, im, length, twiddles)
}

export function multiplyAdd32(aRe: usize, aIm: usize, bRe: usize, bIm: usize, sumRe: usize, sumIm: usize, length: i32): void {
  multiplyAdd<f32>(aRe, aIm, bRe, bIm, sumRe, sumIm, length)
}
