import { hashIndex } from '../hash.ts'
import type { Kernel } from '../kernel.ts'
import { computePlannedOutputFrames, planRender } from '../render-plan.ts'
import { createRenderer } from '../renderer.ts'

/** The checksum of the samples that `computeKnownChecksum` renders with the compiled kernel. It is the same in Node and in browsers. */
export const EXPECTED_CHECKSUM = -1596698850

/** Renders noise with resampling, bass filter, reverb and dither. Returns a checksum of the 16-bit samples. */
export function computeKnownChecksum(kernel: Kernel): number {
  const synthesizeNoise = (seed: number) => Float32Array.from({ length: 60_000 }, (_, frame) => hashIndex(2 * frame + seed) / 2 ** 33)
  const knownPlan = planRender({ sampleRate: 44_100, rate: 1.2, bassDb: 4, reverb: { seconds: 0.7, amount: 0.4 } })
  const outputSamples = new Float32Array(2 * computePlannedOutputFrames(knownPlan, 60_000))
  createRenderer(kernel).render(knownPlan, { channels: [synthesizeNoise(0), synthesizeNoise(1)], startFrame: 0 }, 0, outputSamples)
  const samples = new Int16Array(outputSamples.length)
  kernel.quantise(outputSamples, 0.9, 0, samples)
  return samples.reduce((sum, sample) => hashIndex(sum + sample), 0)
}
