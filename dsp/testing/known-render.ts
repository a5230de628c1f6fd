import { hash } from '../hash.ts'
import type { Kernel } from '../kernel.ts'
import { plannedFrames, planRender } from '../render-plan.ts'
import { createRenderer } from '../renderer.ts'

/** Of the samples that `knownRender` writes, in whatever runtime the compiled kernel runs. */
export const KNOWN_CHECKSUM = -1050729025

/** Renders noise with all that a maker has, to 16 bits, and adds up what came out. */
export function knownRender(kernel: Kernel): number {
  const noise = (seed: number) => Float32Array.from({ length: 60_000 }, (_, frame) => hash(2 * frame + seed) / 2 ** 33)
  const plan = planRender({ sampleRate: 44_100, rate: 1.2, bassDb: 4, reverb: { seconds: 0.7, amount: 0.4 } })
  const output = new Float32Array(2 * plannedFrames(plan, 60_000))
  createRenderer(kernel).render(plan, { channels: [noise(0), noise(1)], startFrame: 0 }, 0, output)
  const samples = new Int16Array(output.length)
  kernel.quantise(output, 0.9, 0, samples)
  return samples.reduce((sum, sample) => hash(sum + sample), 0)
}
