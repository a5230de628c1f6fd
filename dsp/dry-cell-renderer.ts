import { CELL_FRAMES, type Kernel, type KernelSource } from './kernel.ts'
import type { DryPlan } from './render-plan.ts'
import { resampleInSteps } from './resample-steps.ts'

/** Renders the output before reverb in cells of CELL_FRAMES frames. Caches the last two cells, because the convolution reads each cell twice. */
export function createDryCellRenderer(kernel: Kernel) {
  // Each entry holds a cell (CELL_FRAMES frames) and, before it, the frames in which the filter's transient response decays.
  const cellSlots = [0, 1].map(() => ({ samples: kernel.allocate(4 * CELL_FRAMES), plan: undefined as DryPlan | undefined, index: -1 }))
  const silentSamples = new Float32Array(2 * CELL_FRAMES)
  return {
    /**
     * Returns cell `cellIndex`, interleaved: CELL_FRAMES output frames from index x CELL_FRAMES. The array is overwritten by the second call
     * after this one.
     */
    getCell(plan: DryPlan, source: KernelSource, cellIndex: number): Float32Array {
      const channelCount = source.channels.length
      if (cellIndex < 0) return silentSamples.subarray(0, channelCount * CELL_FRAMES)
      const cellSlot = cellSlots[cellIndex & 1] as (typeof cellSlots)[number]
      const firstFrame = cellIndex * CELL_FRAMES
      const settleFrames = Math.min(plan.settleFrames, firstFrame)
      const settledSamples = cellSlot.samples.subarray(0, channelCount * (settleFrames + CELL_FRAMES))
      if (cellSlot.plan !== plan || cellSlot.index !== cellIndex) {
        resampleInSteps(kernel, plan.steps, source, firstFrame - settleFrames, settledSamples)
        if (plan.bassFilter !== undefined) kernel.filter(plan.bassFilter, settledSamples, channelCount)
        cellSlot.plan = plan
        cellSlot.index = cellIndex
      }
      return settledSamples.subarray(channelCount * settleFrames)
    },
  }
}
export type DryCellRenderer = ReturnType<typeof createDryCellRenderer>
