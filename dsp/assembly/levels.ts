/** Returns the largest absolute value of `sampleCount` samples. */
export function peak(samplesAddress: usize, sampleCount: i32): f32 {
  let laneMaxima = f32x4.splat(0)
  let sampleAddress = samplesAddress
  for (const end = samplesAddress + ((<usize>(sampleCount & ~3)) << 2); sampleAddress < end; sampleAddress += 16)
    laneMaxima = f32x4.pmax(laneMaxima, f32x4.abs(v128.load(sampleAddress)))
  let largestSample = max(
    max(f32x4.extract_lane(laneMaxima, 0), f32x4.extract_lane(laneMaxima, 1)),
    max(f32x4.extract_lane(laneMaxima, 2), f32x4.extract_lane(laneMaxima, 3)),
  )
  for (const end = samplesAddress + ((<usize>sampleCount) << 2); sampleAddress < end; sampleAddress += 4)
    largestSample = max(largestSample, abs(load<f32>(sampleAddress)))
  return largestSample
}

/**
 * Quantises to 16 bits with dither, bit for bit as dsp/reference/levels.ts. Reads and writes complete vectors: both arrays hold a multiple of 8
 * samples.
 */
export function quantise(samplesAddress: usize, sampleCount: i32, gainFactor: f32, firstSampleIndex: i32, outputAddress: usize): void {
  const scale = f32x4.splat(gainFactor * 32768)
  let sampleIndexes = i32x4.add(i32x4.splat(firstSampleIndex), i32x4(0, 1, 2, 3))
  for (const end = samplesAddress + ((<usize>sampleCount) << 2); samplesAddress < end; samplesAddress += 32) {
    const lowSamples = quantiseVector(v128.load(samplesAddress), scale, sampleIndexes)
    const highSamples = quantiseVector(v128.load(samplesAddress, 16), scale, i32x4.add(sampleIndexes, i32x4.splat(4)))
    v128.store(outputAddress, i16x8.narrow_i32x4_s(lowSamples, highSamples))
    sampleIndexes = i32x4.add(sampleIndexes, i32x4.splat(8))
    outputAddress += 16
  }
}

function quantiseVector(samples: v128, gainVector: v128, sampleIndexes: v128): v128 {
  let randomBits = sampleIndexes
  randomBits = v128.xor(randomBits, i32x4.shr_u(randomBits, 16))
  randomBits = i32x4.mul(randomBits, i32x4.splat(0x7feb352d))
  randomBits = v128.xor(randomBits, i32x4.shr_u(randomBits, 15))
  randomBits = i32x4.mul(randomBits, i32x4.splat(0x846ca68b))
  randomBits = v128.xor(randomBits, i32x4.shr_u(randomBits, 16))
  const triangularDither = f32x4.convert_i32x4_s(i32x4.sub(v128.and(randomBits, i32x4.splat(0xffff)), i32x4.shr_u(randomBits, 16)))
  const value = f32x4.add(f32x4.mul(samples, gainVector), f32x4.mul(triangularDither, f32x4.splat(1.0 / 65536.0)))
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(value))
}
