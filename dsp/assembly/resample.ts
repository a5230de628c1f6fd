import { interleaveHighHalves, interleaveLowHalves, joinHighHalves } from './lanes'

// Positions are fixed-point numbers with 48 fractional bits, in samples of the doubled rate. Single-precision floats would resolve 2^-11 of a
// sample at best.
const FIXED_POINT_SCALE: f64 = 281474976710656
/** log2 of PHASE_COUNT in dsp/resampler-design.ts. */
const PHASE_BITS = 11
const FRACTION_BITS = 24

/** Converts floats to doubles. `valueCount` is a multiple of 2. */
export function promote(samples: usize, outputAddress: usize, valueCount: i32): void {
  for (let at: usize = 0; at < (<usize>valueCount) << 2; at += 8)
    v128.store(outputAddress + (at << 1), f64x2.promote_low_f32x4(v128.load64_zero(samples + at)))
}

/** Interleaves the samples at whole frames with those at half frames: `outputAddress` has 2 x `valueCount` values. `valueCount` is a multiple of 4. */
export function interleave(wholeFrames: usize, halfFrames: usize, outputAddress: usize, valueCount: i32): void {
  for (let at: usize = 0; at < (<usize>valueCount) << 2; at += 16) {
    const a = v128.load(wholeFrames + at)
    const b = v128.load(halfFrames + at)
    v128.store(outputAddress + (at << 1), interleaveLowHalves(a, b))
    v128.store(outputAddress + (at << 1), interleaveHighHalves(a, b), 16)
  }
}

/**
 * Interpolates output frames `skip` .. skip + frames of a block from both channels at the doubled rate and writes them interleaved. `table` has rows
 * of `tapCount` (12, 16 or 20) coefficients. `startPosition` is the position of the block's first frame and `positionStep` the distance of consecutive frames, both in
 * samples of the doubled rate.
 */
export function interpolate(
  leftSamples: usize,
  rightSamples: usize,
  coefficientTable: usize,
  tapCount: i32,
  startPosition: f64,
  positionStep: f64,
  skippedFrames: i32,
  frameCount: i32,
  outputAddress: usize,
): void {
  const rightOffset = rightSamples - leftSamples
  const rowBytes = (<usize>tapCount) << 2
  const fixedStep = <i64>(positionStep * FIXED_POINT_SCALE)
  let fixedPosition = <i64>(startPosition * FIXED_POINT_SCALE) + <i64>skippedFrames * fixedStep
  const firstTapAddress = leftSamples - ((rowBytes >> 1) - 4)
  const fractionUnit = f32x4.splat(1.0 / <f32>(1 << FRACTION_BITS))
  for (const end = outputAddress + ((<usize>frameCount) << 3); outputAddress < end; outputAddress += 8) {
    const l = firstTapAddress + ((<usize>(fixedPosition >> 48)) << 2)
    const r = l + rightOffset
    const c = coefficientTable + <usize>(<i32>(fixedPosition >> (48 - PHASE_BITS)) & ((1 << PHASE_BITS) - 1)) * rowBytes
    const fractionBits = <i32>(fixedPosition >> (48 - PHASE_BITS - FRACTION_BITS)) & ((1 << FRACTION_BITS) - 1)
    const fraction = f32x4.mul(f32x4.convert_i32x4_s(i32x4.splat(fractionBits)), fractionUnit)
    fixedPosition += fixedStep

    let k = interpolateCoefficients(c, rowBytes, fraction)
    let leftSum = f32x4.mul(k, v128.load(l))
    let rightSum = f32x4.mul(k, v128.load(r))
    k = interpolateCoefficients(c + 16, rowBytes, fraction)
    let leftSum2 = f32x4.mul(k, v128.load(l, 16))
    let rightSum2 = f32x4.mul(k, v128.load(r, 16))
    k = interpolateCoefficients(c + 32, rowBytes, fraction)
    leftSum = f32x4.add(leftSum, f32x4.mul(k, v128.load(l, 32)))
    rightSum = f32x4.add(rightSum, f32x4.mul(k, v128.load(r, 32)))
    if (tapCount > 12) {
      k = interpolateCoefficients(c + 48, rowBytes, fraction)
      leftSum2 = f32x4.add(leftSum2, f32x4.mul(k, v128.load(l, 48)))
      rightSum2 = f32x4.add(rightSum2, f32x4.mul(k, v128.load(r, 48)))
      if (tapCount > 16) {
        k = interpolateCoefficients(c + 64, rowBytes, fraction)
        leftSum = f32x4.add(leftSum, f32x4.mul(k, v128.load(l, 64)))
        rightSum = f32x4.add(rightSum, f32x4.mul(k, v128.load(r, 64)))
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
