import { hashIndex } from '../hash.ts'
import type { Kernel } from '../kernel.ts'
import { plannedOutputFrames, planRender } from '../render-plan.ts'
import { createRenderer } from '../renderer.ts'

/** The checksum of the samples that `knownRenderChecksum` renders with the compiled kernel. It is the same in Node and in browsers. */
export const EXPECTED_CHECKSUM = -1596698850

/** Renders noise with resampling, bass filter, reverb and dither. Returns a checksum of the 16-bit samples. */
export function knownRenderChecksum(kernel: Kernel): number {
  const noiseSamples = (seed: number) => Float32Array.from({ length: 60_000 }, (_, frame) => hashIndex(2 * frame + seed) / 2 ** 33)
  const plan = planRender({ sampleRate: 44_100, rate: 1.2, bassDb: 4, reverb: { seconds: 0.7, amount: 0.4 } })
  const output = new Float32Array(2 * plannedOutputFrames(plan, 60_000))
  createRenderer(kernel).render(plan, { channels: [noiseSamples(0), noiseSamples(1)], startFrame: 0 }, 0, output)
  const samples = new Int16Array(output.length)
  kernel.quantise(output, 0.9, 0, samples)
  return samples.reduce((sum, sample) => hashIndex(sum + sample), 0)
}
