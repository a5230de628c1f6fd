import { type Convolver, createConvolver } from './convolver.ts'
import { createDryCellRenderer, type DryCellRenderer } from './dry-cell-renderer.ts'
import { CELL_FRAMES, type Kernel, type KernelSource } from './kernel.ts'
import type { RenderPlan } from './render-plan.ts'
import { resampleInSteps } from './resample-steps.ts'

/**
 * Creates a renderer for any number of plans, which reuses the kernel's memory. The samples of a frame are bit-identical in whatever range the
 * frame is rendered.
 */
export function createRenderer(kernel: Kernel) {
  let cells: DryCellRenderer | undefined
  let convolver: Convolver | undefined
  let scratchCell: Float32Array | undefined

  function loadedConvolver(): Convolver {
    convolver ??= createConvolver(kernel)
    return convolver
  }

  function renderCell(plan: RenderPlan, source: KernelSource, index: number, output: Float32Array): void {
    cells ??= createDryCellRenderer(kernel)
    const dryCells = cells
    output.set(dryCells.getCell(plan.dry, source, index))
    if (plan.reverb === undefined) return
    loadedConvolver().addReverb(plan, source.channels.length, index, (cellIndex) => dryCells.getCell(plan.dry, source, cellIndex), output)
  }

  return {
    /** Computes the impulse response of the plan's reverb in advance, so that the first call of `render` takes less time. */
    prepare({ reverb }: RenderPlan): void {
      if (reverb !== undefined) loadedConvolver().loadResponse(reverb)
    },
    /**
     * Fills `output` with output frames from `firstFrame`, interleaved, with the source's number of channels. All calls with the same plan must be
     * about the same sound. `source` must hold at least its `plannedSourceRange`.
     */
    render(plan: RenderPlan, source: KernelSource, firstFrame: number, output: Float32Array): void {
      if (plan.dry.bassFilter === undefined && plan.reverb === undefined) {
        resampleInSteps(kernel, plan.dry.steps, source, firstFrame, output)
        return
      }
      const channels = source.channels.length
      const endFrame = firstFrame + output.length / channels
      for (let index = Math.floor(firstFrame / CELL_FRAMES); index * CELL_FRAMES < endFrame; index++) {
        const cellFrame = index * CELL_FRAMES
        const start = Math.max(firstFrame, cellFrame)
        const end = Math.min(endFrame, cellFrame + CELL_FRAMES)
        const wantedSamples = output.subarray((start - firstFrame) * channels, (end - firstFrame) * channels)
        if (end - start === CELL_FRAMES) {
          renderCell(plan, source, index, wantedSamples)
        } else {
          scratchCell ??= kernel.allocate(2 * CELL_FRAMES)
          renderCell(plan, source, index, scratchCell.subarray(0, channels * CELL_FRAMES))
          wantedSamples.set(scratchCell.subarray((start - cellFrame) * channels, (end - cellFrame) * channels))
        }
      }
    },
  }
}
export type Renderer = ReturnType<typeof createRenderer>
