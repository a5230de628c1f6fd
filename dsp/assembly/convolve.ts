import { interleaveHighHalves, interleaveLowHalves } from './lanes'

/** Splits stereo frames into complex numbers: left is the real part, right the imaginary part. `frames` is a multiple of 4. */
export function deinterleave(samples: usize, re: usize, im: usize, frames: i32): void {
  for (const end = re + ((<usize>frames) << 2); re < end; re += 16) {
    const a = v128.load(samples)
    const b = v128.load(samples, 16)
    v128.store(re, v128.shuffle<f32>(a, b, 0, 2, 4, 6))
    v128.store(im, v128.shuffle<f32>(a, b, 1, 3, 5, 7))
    im += 16
    samples += 32
  }
}

/** Adds `gain` times the complex numbers to interleaved stereo frames. `frames` is a multiple of 4. */
export function addInterleaved(re: usize, im: usize, gain: f32, samples: usize, frames: i32): void {
  const factor = f32x4.splat(gain)
  for (const end = re + ((<usize>frames) << 2); re < end; re += 16) {
    const leftSamples = f32x4.mul(v128.load(re), factor)
    const rightSamples = f32x4.mul(v128.load(im), factor)
    v128.store(samples, f32x4.add(v128.load(samples), interleaveLowHalves(leftSamples, rightSamples)))
    v128.store(samples, f32x4.add(v128.load(samples, 16), interleaveHighHalves(leftSamples, rightSamples)), 16)
    im += 16
    samples += 32
  }
}
