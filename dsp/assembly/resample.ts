import { highHalves, highPairs, lowPairs } from './lanes'

// Single precision holds a position to 2^-11 of a step at best: positions are whole numbers of 2^-48 steps of the doubled rate.
const STEP: f64 = 281474976710656
/** dsp/resampler-design.ts has the same number of rows. */
const PHASE_BITS = 11
const SHARE_BITS = 24

/** In double precision. `length` is a multiple of 2. */
export function promote(samples: usize, out: usize, length: i32): void {
  for (let at: usize = 0; at < (<usize>length) << 2; at += 8)
    v128.store(out + (at << 1), f64x2.promote_low_f32x4(v128.load64_zero(samples + at)))
}

/** The samples at whole and at half frames, taken in turn: out has 2 x `length` values. `length` is a multiple of 4. */
export function interleave(whole: usize, half: usize, out: usize, length: i32): void {
  for (let at: usize = 0; at < (<usize>length) << 2; at += 16) {
    const a = v128.load(whole + at)
    const b = v128.load(half + at)
    v128.store(out + (at << 1), lowPairs(a, b))
    v128.store(out + (at << 1), highPairs(a, b), 16)
  }
}

/**
 * Output frames `skip` .. skip + frames of a block, interleaved, from both channels at the doubled rate. `table` has rows of `taps` (12, 16 or
 * 20) coefficients; `position` is that of the block's first frame, `step` the distance of two, both in samples of the doubled rate.
 */
export function interpolate(
  left: usize,
  right: usize,
  table: usize,
  taps: i32,
  position: f64,
  step: f64,
  skip: i32,
  frames: i32,
  out: usize,
): void {
  const toRight = right - left
  const row = (<usize>taps) << 2
  const fixedStep = <i64>(step * STEP)
  let fixed = <i64>(position * STEP) + <i64>skip * fixedStep
  const first = left - ((row >> 1) - 4)
  const shareUnit = f32x4.splat(1.0 / <f32>(1 << SHARE_BITS))
  for (const end = out + ((<usize>frames) << 3); out < end; out += 8) {
    const l = first + ((<usize>(fixed >> 48)) << 2)
    const r = l + toRight
    const c = table + <usize>(<i32>(fixed >> (48 - PHASE_BITS)) & ((1 << PHASE_BITS) - 1)) * row
    const shareBits = <i32>(fixed >> (48 - PHASE_BITS - SHARE_BITS)) & ((1 << SHARE_BITS) - 1)
    const share = f32x4.mul(f32x4.convert_i32x4_s(i32x4.splat(shareBits)), shareUnit)
    fixed += fixedStep

    let k = coefficients(c, row, share)
    let leftSum = f32x4.mul(k, v128.load(l))
    let rightSum = f32x4.mul(k, v128.load(r))
    k = coefficients(c + 16, row, share)
    let leftSum2 = f32x4.mul(k, v128.load(l, 16))
    let rightSum2 = f32x4.mul(k, v128.load(r, 16))
    k = coefficients(c + 32, row, share)
    leftSum = f32x4.add(leftSum, f32x4.mul(k, v128.load(l, 32)))
    rightSum = f32x4.add(rightSum, f32x4.mul(k, v128.load(r, 32)))
    if (taps > 12) {
      k = coefficients(c + 48, row, share)
      leftSum2 = f32x4.add(leftSum2, f32x4.mul(k, v128.load(l, 48)))
      rightSum2 = f32x4.add(rightSum2, f32x4.mul(k, v128.load(r, 48)))
      if (taps > 16) {
        k = coefficients(c + 64, row, share)
        leftSum = f32x4.add(leftSum, f32x4.mul(k, v128.load(l, 64)))
        rightSum = f32x4.add(rightSum, f32x4.mul(k, v128.load(r, 64)))
      }
    }
    leftSum = f32x4.add(leftSum, leftSum2)
    rightSum = f32x4.add(rightSum, rightSum2)
    // left, right, left, right; the halves hold two sums each
    const sums = f32x4.add(lowPairs(leftSum, rightSum), highPairs(leftSum, rightSum))
    v128.store64_lane(out, f32x4.add(sums, highHalves(sums, sums)), 0)
  }
}

/** Four coefficients between two rows of the table. */
function coefficients(at: usize, row: usize, share: v128): v128 {
  const k = v128.load(at)
  return f32x4.add(k, f32x4.mul(share, f32x4.sub(v128.load(at + row), k)))
}
