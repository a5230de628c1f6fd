import type { Biquad } from '../biquad.ts'

/** Filters interleaved samples in place, each channel with zero initial state. */
export function filter({ b0, b1, b2, a1, a2 }: Biquad, samples: Float32Array, channelCount: number): void {
  for (let channelIndex = 0; channelIndex < channelCount; channelIndex++) {
    let s1 = 0
    let s2 = 0
    for (let index = channelIndex; index < samples.length; index += channelCount) {
      const x = samples[index] as number
      const y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b2 * x - a2 * y
      samples[index] = y
    }
  }
}
