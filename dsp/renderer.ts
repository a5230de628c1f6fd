import { createDryCells, type DryCells } from './cells.ts'
import { type Convolver, createConvolver } from './convolver.ts'
import { CELL_FRAMES, type Kernel } from './kernel.ts'
import type { RenderPlan } from './render-plan.ts'
import type { Source } from './source.ts'

/** Renders any range of the output; a frame is the same bit for bit in whatever range it is asked for. */
export interface Renderer {
  /**
   * Fills `output` with output frames from `firstFrame` on, interleaved, with as many channels as the source has. A plan is for one sound: the
   * sources given with it are parts of that, each at least `plannedRange`.
   */
  render(plan: RenderPlan, source: Source, firstFrame: number, output: Float32Array): void
}

/** One for a kernel, for whatever plans: it keeps the memory that they need. */
export function createRenderer(kernel: Kernel): Renderer {
  let cells: DryCells | undefined
  let convolver: Convolver | undefined
  let whole: Float32Array | undefined

  function renderCell(plan: RenderPlan, source: Source, index: number, output: Float32Array): void {
    cells ??= createDryCells(kernel)
    const dry = cells
    output.set(dry.cell(plan, source, index))
    if (plan.reverb === undefined) return
    convolver ??= createConvolver(kernel)
    convolver.addReverb(plan, source.channels.length, index, (each) => dry.cell(plan, source, each), output)
  }

  return {
    render(plan, source, firstFrame, output) {
      if (plan.bass === undefined && plan.reverb === undefined) {
        kernel.resample(plan.design, source, firstFrame, output)
        return
      }
      const channels = source.channels.length
      const endFrame = firstFrame + output.length / channels
      for (let index = Math.floor(firstFrame / CELL_FRAMES); index * CELL_FRAMES < endFrame; index++) {
        const cellFrame = index * CELL_FRAMES
        const start = Math.max(firstFrame, cellFrame)
        const end = Math.min(endFrame, cellFrame + CELL_FRAMES)
        const wanted = output.subarray((start - firstFrame) * channels, (end - firstFrame) * channels)
        if (end - start === CELL_FRAMES) {
          renderCell(plan, source, index, wanted)
        } else {
          whole ??= kernel.allocate(2 * CELL_FRAMES)
          renderCell(plan, source, index, whole.subarray(0, channels * CELL_FRAMES))
          wanted.set(whole.subarray((start - cellFrame) * channels, (end - cellFrame) * channels))
        }
      }
    },
  }
}
