/**
 * Filters stereo frames in place by a biquad in transposed direct form II (dsp/biquad.ts), with zero initial state, both channels in one vector of
 * doubles.
 */
export function filter(samplesAddress: usize, frameCount: i32, b0: f64, b1: f64, b2: f64, a1: f64, a2: f64): void {
  const b0s = f64x2.splat(b0)
  const b1s = f64x2.splat(b1)
  const b2s = f64x2.splat(b2)
  const a1s = f64x2.splat(a1)
  const a2s = f64x2.splat(a2)
  let s1 = f64x2.splat(0)
  let s2 = f64x2.splat(0)
  for (const end = samplesAddress + ((<usize>frameCount) << 3); samplesAddress < end; samplesAddress += 8) {
    const x = f64x2.promote_low_f32x4(v128.load64_zero(samplesAddress))
    const y = f64x2.add(f64x2.mul(b0s, x), s1)
    s1 = f64x2.add(f64x2.sub(f64x2.mul(b1s, x), f64x2.mul(a1s, y)), s2)
    s2 = f64x2.sub(f64x2.mul(b2s, x), f64x2.mul(a2s, y))
    v128.store64_lane(samplesAddress, f32x4.demote_f64x2_zero(y), 0)
  }
}
