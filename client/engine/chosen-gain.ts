import type { Level } from '../../dsp/loudness.ts'
import type { Rendering, RenderPassRequest } from './render-pool.ts'
import type { OutputSegment } from './segment-assignment.ts'

/** The gain that an export applies to all samples. */
export interface ChosenGain {
  gainOf(segment: OutputSegment): RenderPassRequest['gain']
  /** By how many dB the level is reduced so that the loudest sample does not clip. */
  readonly loweredDb: number
  /** The level of the exported sound, if it is brought to a loudness. */
  readonly level?: Level
}

/** Returns the share of the output, 0 to 1, that has been rendered when `segment` is complete. */
export const computeProgressAfter = ({ firstFrame, frames }: OutputSegment, rendering: Rendering): number =>
  (firstFrame + frames) / rendering.frames
