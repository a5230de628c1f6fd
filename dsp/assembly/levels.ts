/** The largest magnitude among `count` samples. */
export function peak(samples: usize, count: i32): f32 {
  let largest = f32x4.splat(0)
  let at = samples
  for (const end = samples + ((<usize>(count & ~3)) << 2); at < end; at += 16) largest = f32x4.pmax(largest, f32x4.abs(v128.load(at)))
  let result = max(
    max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
    max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)),
  )
  for (const end = samples + ((<usize>count) << 2); at < end; at += 4) result = max(result, abs(load<f32>(at)))
  return result
}

/** 16-bit samples with dither; dsp/reference/levels.ts says how. Reads and writes whole vectors: both hold a multiple of 8 samples. */
export function quantise(samples: usize, count: i32, gain: f32, firstSample: i32, out: usize): void {
  const scale = f32x4.splat(gain * 32768)
  let index = i32x4.add(i32x4.splat(firstSample), i32x4(0, 1, 2, 3))
  for (const end = samples + ((<usize>count) << 2); samples < end; samples += 32) {
    const low = dithered(v128.load(samples), scale, index)
    const high = dithered(v128.load(samples, 16), scale, i32x4.add(index, i32x4.splat(4)))
    v128.store(out, i16x8.narrow_i32x4_s(low, high))
    index = i32x4.add(index, i32x4.splat(8))
    out += 16
  }
}

function dithered(samples: v128, scale: v128, index: v128): v128 {
  let x = index
  x = v128.xor(x, i32x4.shr_u(x, 16))
  x = i32x4.mul(x, i32x4.splat(0x7feb352d))
  x = v128.xor(x, i32x4.shr_u(x, 15))
  x = i32x4.mul(x, i32x4.splat(0x846ca68b))
  x = v128.xor(x, i32x4.shr_u(x, 16))
  const triangular = f32x4.convert_i32x4_s(i32x4.sub(v128.and(x, i32x4.splat(0xffff)), i32x4.shr_u(x, 16)))
  const value = f32x4.add(f32x4.mul(samples, scale), f32x4.mul(triangular, f32x4.splat(1.0 / 65536.0)))
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(value))
}
