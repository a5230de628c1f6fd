import type { Kernel } from './kernel.ts'
import { designResampler } from './resampler-design.ts'
import { sourceRange } from './resampler-grid.ts'
import type { Source } from './source.ts'

export interface RenderSettings {
  /** Input frames for an output frame: speed x 2^(pitch / 12). */
  readonly rate: number
}

/** Renders any range of the output; a frame is the same bit for bit in whatever range it is asked for. */
export interface Renderer {
  /** The input frames that output frames firstFrame .. firstFrame + frames need, end excluded, perhaps beyond the sound. */
  sourceRange(firstFrame: number, frames: number): { startFrame: number; endFrame: number }
  /** Fills `output` with output frames from `firstFrame` on, interleaved. */
  render(source: Source, firstFrame: number, output: Float32Array): void
}

/** @throws RangeError for a rate that cannot be kept */
export function createRenderer(kernel: Kernel, { rate }: RenderSettings): Renderer {
  const design = designResampler(rate)
  return {
    sourceRange: (firstFrame, frames) => sourceRange(design, firstFrame, frames),
    render: (source, firstFrame, output) => kernel.resample(design, source, firstFrame, output),
  }
}
