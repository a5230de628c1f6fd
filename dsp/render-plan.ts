import { type Biquad, lowShelf } from './biquad.ts'
import { CELL_FRAMES } from './kernel.ts'
import { designResampler, type ResamplerDesign } from './resampler-design.ts'
import { outputFrames, sourceRange } from './resampler-grid.ts'
import { designImpulse, type Impulse, type ReverbSettings } from './reverb.ts'

export interface RenderSettings {
  readonly sampleRate: number
  /** Input frames for an output frame: speed x 2^(pitch / 12). */
  readonly rate: number
  /** How far the bass is lifted, in dB; 0 leaves it alone. */
  readonly bassDb?: number
  readonly reverb?: ReverbSettings
}

/** All that is worked out once for a sound and its settings. */
export interface RenderPlan {
  readonly design: ResamplerDesign
  readonly bass: Biquad | undefined
  readonly reverb: { readonly impulse: Impulse; readonly amount: number; readonly partitions: number } | undefined
  /** Output frames before a cell over which its filter settles: cells begin from rest, wherever a render begins. */
  readonly settleFrames: number
}

const BASS_HZ = 110
/** Until what the filter still knew of before is 200 dB down and more. */
const SETTLE_SECONDS = 0.06

/** @throws RangeError for a rate or a reverb out of range */
export function planRender({ sampleRate, rate, bassDb = 0, reverb }: RenderSettings): RenderPlan {
  const bass = bassDb === 0 ? undefined : lowShelf(BASS_HZ, bassDb, sampleRate)
  const impulse = reverb === undefined || reverb.amount === 0 ? undefined : designImpulse(reverb.seconds, sampleRate)
  return {
    design: designResampler(rate),
    bass,
    reverb:
      reverb === undefined || impulse === undefined
        ? undefined
        : { impulse, amount: reverb.amount, partitions: Math.ceil(impulse.re.length / CELL_FRAMES) },
    settleFrames: bass === undefined ? 0 : Math.ceil(SETTLE_SECONDS * sampleRate),
  }
}

/** Frames of the output for `inputFrames` of input: a reverb rings out after the sound. Nothing becomes nothing. */
export function plannedFrames({ design, reverb }: RenderPlan, inputFrames: number): number {
  const frames = outputFrames(inputFrames, design.rate)
  return frames === 0 || reverb === undefined ? frames : frames + reverb.impulse.re.length
}

/**
 * The input frames that output frames firstFrame .. firstFrame + frames need, end excluded, perhaps beyond the sound. Fewer where this
 * `continues`: the same renderer has just rendered, by the same plan, what comes before.
 */
export function plannedRange(
  plan: RenderPlan,
  firstFrame: number,
  frames: number,
  continues = false,
): { startFrame: number; endFrame: number } {
  const { design, bass, reverb, settleFrames } = plan
  if (frames <= 0 || (bass === undefined && reverb === undefined)) return sourceRange(design, firstFrame, frames)
  const firstCell = Math.floor(firstFrame / CELL_FRAMES) - (continues ? 0 : (reverb?.partitions ?? 0))
  const start = Math.max(0, firstCell * CELL_FRAMES - settleFrames)
  const end = Math.ceil((firstFrame + frames) / CELL_FRAMES) * CELL_FRAMES
  return sourceRange(design, start, end - start)
}
