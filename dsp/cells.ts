import { CELL_FRAMES, type Kernel } from './kernel.ts'
import type { RenderPlan } from './render-plan.ts'
import type { Source } from './source.ts'

/** The output before reverb, in cells. The last two are kept: a convolution reads each twice. */
export interface DryCells {
  /** Cell `index`, interleaved: output frames index x CELL_FRAMES and on. Valid until the second next call. */
  cell(plan: RenderPlan, source: Source, index: number): Float32Array
}

export function createDryCells(kernel: Kernel): DryCells {
  // Each with room for the frames over which its filter settles.
  const kept = [0, 1].map(() => ({ samples: kernel.allocate(4 * CELL_FRAMES), plan: undefined as RenderPlan | undefined, index: -1 }))
  const silence = new Float32Array(2 * CELL_FRAMES)
  return {
    cell(plan, source, index) {
      const channels = source.channels.length
      if (index < 0) return silence.subarray(0, channels * CELL_FRAMES)
      const slot = kept[index & 1] as (typeof kept)[number]
      const firstFrame = index * CELL_FRAMES
      const settleFrames = Math.min(plan.settleFrames, firstFrame)
      const settled = slot.samples.subarray(0, channels * (settleFrames + CELL_FRAMES))
      if (slot.plan !== plan || slot.index !== index) {
        kernel.resample(plan.design, source, firstFrame - settleFrames, settled)
        if (plan.bass !== undefined) kernel.filter(plan.bass, settled, channels)
        slot.plan = plan
        slot.index = index
      }
      return settled.subarray(channels * settleFrames)
    },
  }
}
