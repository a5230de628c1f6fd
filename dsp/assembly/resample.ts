import { interleaveHighHalves, interleaveLowHalves, joinHighHalves } from './lanes'

// Positions are fixed-point numbers with 48 fractional bits, in samples of the doubled rate. Single-precision floats would resolve 2^-11 of a
// sample at best.
const FIXED_POINT_SCALE: f64 = 281474976710656
/** log2 of PHASE_COUNT in dsp/resampler-design.ts. */
const PHASE_BITS = 11
const FRACTION_BITS = 24

/** Converts floats to doubles. `valueCount` is a multiple of 2. */
export function promote(samplesAddress: usize, outputAddress: usize, valueCount: i32): void {
  for (let at: usize = 0; at < (<usize>valueCount) << 2; at += 8)
    v128.store(outputAddress + (at << 1), f64x2.promote_low_f32x4(v128.load64_zero(samplesAddress + at)))
}

/** Interleaves the samples at whole frames with those at half frames, and writes the 2 x `valueCount` values to `outputAddress`. `valueCount` is a multiple of 4. */
export function interleave(wholeFramesAddress: usize, halfFramesAddress: usize, outputAddress: usize, valueCount: i32): void {
  for (let byteOffset: usize = 0; byteOffset < (<usize>valueCount) << 2; byteOffset += 16) {
    const wholeSamples = v128.load(wholeFramesAddress + byteOffset)
    const halfSamples = v128.load(halfFramesAddress + byteOffset)
    v128.store(outputAddress + (byteOffset << 1), interleaveLowHalves(wholeSamples, halfSamples))
    v128.store(outputAddress + (byteOffset << 1), interleaveHighHalves(wholeSamples, halfSamples), 16)
  }
}

/**
 * Interpolates `frameCount` output frames of a block, from frame `skippedFrames` on, from both channels at the doubled rate and writes them
 * interleaved. The table at `coefficientTableAddress` has rows of `tapCount` (12, 16 or 20) coefficients. `startPosition` is the position of the
 * block's first frame and `positionStep` the distance of consecutive frames, both in samples of the doubled rate.
 */
export function interpolate(
  leftSamplesAddress: usize,
  rightSamplesAddress: usize,
  coefficientTableAddress: usize,
  tapCount: i32,
  startPosition: f64,
  positionStep: f64,
  skippedFrames: i32,
  frameCount: i32,
  outputAddress: usize,
): void {
  const rightOffset = rightSamplesAddress - leftSamplesAddress
  const rowBytes = (<usize>tapCount) << 2
  const fixedStep = <i64>(positionStep * FIXED_POINT_SCALE)
  let fixedPosition = <i64>(startPosition * FIXED_POINT_SCALE) + <i64>skippedFrames * fixedStep
  const firstTapAddress = leftSamplesAddress - ((rowBytes >> 1) - 4)
  const fractionUnit = f32x4.splat(1.0 / <f32>(1 << FRACTION_BITS))
  for (const end = outputAddress + ((<usize>frameCount) << 3); outputAddress < end; outputAddress += 8) {
    const leftTapsAddress = firstTapAddress + ((<usize>(fixedPosition >> 48)) << 2)
    const rightTapsAddress = leftTapsAddress + rightOffset
    const coefficientsAddress =
      coefficientTableAddress + <usize>(<i32>(fixedPosition >> (48 - PHASE_BITS)) & ((1 << PHASE_BITS) - 1)) * rowBytes
    const fractionBits = <i32>(fixedPosition >> (48 - PHASE_BITS - FRACTION_BITS)) & ((1 << FRACTION_BITS) - 1)
    const fraction = f32x4.mul(f32x4.convert_i32x4_s(i32x4.splat(fractionBits)), fractionUnit)
    fixedPosition += fixedStep

    let coefficients = interpolateCoefficients(coefficientsAddress, rowBytes, fraction)
    let leftSum = f32x4.mul(coefficients, v128.load(leftTapsAddress))
    let rightSum = f32x4.mul(coefficients, v128.load(rightTapsAddress))
    coefficients = interpolateCoefficients(coefficientsAddress + 16, rowBytes, fraction)
    let leftSum2 = f32x4.mul(coefficients, v128.load(leftTapsAddress, 16))
    let rightSum2 = f32x4.mul(coefficients, v128.load(rightTapsAddress, 16))
    coefficients = interpolateCoefficients(coefficientsAddress + 32, rowBytes, fraction)
    leftSum = f32x4.add(leftSum, f32x4.mul(coefficients, v128.load(leftTapsAddress, 32)))
    rightSum = f32x4.add(rightSum, f32x4.mul(coefficients, v128.load(rightTapsAddress, 32)))
    if (tapCount > 12) {
      coefficients = interpolateCoefficients(coefficientsAddress + 48, rowBytes, fraction)
      leftSum2 = f32x4.add(leftSum2, f32x4.mul(coefficients, v128.load(leftTapsAddress, 48)))
      rightSum2 = f32x4.add(rightSum2, f32x4.mul(coefficients, v128.load(rightTapsAddress, 48)))
      if (tapCount > 16) {
        coefficients = interpolateCoefficients(coefficientsAddress + 64, rowBytes, fraction)
        leftSum = f32x4.add(leftSum, f32x4.mul(coefficients, v128.load(leftTapsAddress, 64)))
        rightSum = f32x4.add(rightSum, f32x4.mul(coefficients, v128.load(rightTapsAddress, 64)))
      }
    }
    leftSum = f32x4.add(leftSum, leftSum2)
    rightSum = f32x4.add(rightSum, rightSum2)
    // The four lanes of the vector hold partial sums of left, right, left, right.
    const sums = f32x4.add(interleaveLowHalves(leftSum, rightSum), interleaveHighHalves(leftSum, rightSum))
    v128.store64_lane(outputAddress, f32x4.add(sums, joinHighHalves(sums, sums)), 0)
  }
}

/** Returns four coefficients, interpolated linearly between two rows of the table. */
function interpolateCoefficients(rowAddress: usize, rowBytes: usize, rowFraction: v128): v128 {
  const k = v128.load(rowAddress)
  return f32x4.add(k, f32x4.mul(rowFraction, f32x4.sub(v128.load(rowAddress + rowBytes), k)))
}
