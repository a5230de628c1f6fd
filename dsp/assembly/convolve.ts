import { interleaveHighHalves, interleaveLowHalves } from './lanes'

/** Splits stereo frames into complex numbers: left is the real part, right the imaginary part. `frameCount` is a multiple of 4. */
export function deinterleave(samplesAddress: usize, reAddress: usize, imAddress: usize, frameCount: i32): void {
  for (const end = reAddress + ((<usize>frameCount) << 2); reAddress < end; reAddress += 16) {
    const firstFramePair = v128.load(samplesAddress)
    const secondFramePair = v128.load(samplesAddress, 16)
    v128.store(reAddress, v128.shuffle<f32>(firstFramePair, secondFramePair, 0, 2, 4, 6))
    v128.store(imAddress, v128.shuffle<f32>(firstFramePair, secondFramePair, 1, 3, 5, 7))
    imAddress += 16
    samplesAddress += 32
  }
}

/** Adds `gainFactor` times the complex numbers to interleaved stereo frames. `frameCount` is a multiple of 4. */
export function addInterleaved(reAddress: usize, imAddress: usize, gainFactor: f32, samplesAddress: usize, frameCount: i32): void {
  const factor = f32x4.splat(gainFactor)
  for (const end = reAddress + ((<usize>frameCount) << 2); reAddress < end; reAddress += 16) {
    const leftSamples = f32x4.mul(v128.load(reAddress), factor)
    const rightSamples = f32x4.mul(v128.load(imAddress), factor)
    v128.store(samplesAddress, f32x4.add(v128.load(samplesAddress), interleaveLowHalves(leftSamples, rightSamples)))
    v128.store(samplesAddress, f32x4.add(v128.load(samplesAddress, 16), interleaveHighHalves(leftSamples, rightSamples)), 16)
    imAddress += 16
    samplesAddress += 32
  }
}
