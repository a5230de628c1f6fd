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
  let cellRenderer: DryCellRenderer | undefined
  let loadedConvolver: Convolver | undefined
  let scratchCell: Float32Array | undefined

  function requireConvolver(): Convolver {
    loadedConvolver ??= createConvolver(kernel)
    return loadedConvolver
  }

  function renderCell(plan: RenderPlan, source: KernelSource, outputCellIndex: number, outputSamples: Float32Array): void {
    cellRenderer ??= createDryCellRenderer(kernel)
    const dryCellRenderer = cellRenderer
    outputSamples.set(dryCellRenderer.getCell(plan.dry, source, outputCellIndex))
    if (plan.reverb === undefined) return
    requireConvolver().addReverb(
      plan,
      source.channels.length,
      outputCellIndex,
      (cellIndex) => dryCellRenderer.getCell(plan.dry, source, cellIndex),
      outputSamples,
    )
  }

  return {
    /** Computes the impulse response of the plan's reverb in advance, so that the first call of `render` takes less time. */
    prepare({ reverb }: RenderPlan): void {
      if (reverb !== undefined) requireConvolver().loadResponse(reverb)
    },
    /**
     * Fills `outputSamples` with output frames from `firstFrame`, interleaved, with the source's number of channels. All calls with the same plan must be
     * about the same sound. `source` must hold at least its `computePlannedSourceRange`.
     */
    render(plan: RenderPlan, source: KernelSource, firstFrame: number, outputSamples: Float32Array): void {
      if (plan.dry.bassFilter === undefined && plan.reverb === undefined) {
        resampleInSteps(kernel, plan.dry.steps, source, firstFrame, outputSamples)
        return
      }
      const channelCount = source.channels.length
      const endFrame = firstFrame + outputSamples.length / channelCount
      for (let cellIndex = Math.floor(firstFrame / CELL_FRAMES); cellIndex * CELL_FRAMES < endFrame; cellIndex++) {
        const cellStartFrame = cellIndex * CELL_FRAMES
        const startFrame = Math.max(firstFrame, cellStartFrame)
        const endOfCell = Math.min(endFrame, cellStartFrame + CELL_FRAMES)
        const wantedSamples = outputSamples.subarray((startFrame - firstFrame) * channelCount, (endOfCell - firstFrame) * channelCount)
        if (endOfCell - startFrame === CELL_FRAMES) {
          renderCell(plan, source, cellIndex, wantedSamples)
        } else {
          scratchCell ??= kernel.allocate(2 * CELL_FRAMES)
          renderCell(plan, source, cellIndex, scratchCell.subarray(0, channelCount * CELL_FRAMES))
          wantedSamples.set(scratchCell.subarray((startFrame - cellStartFrame) * channelCount, (endOfCell - cellStartFrame) * channelCount))
        }
      }
    },
  }
}
export type Renderer = ReturnType<typeof createRenderer>
