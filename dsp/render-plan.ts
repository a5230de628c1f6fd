import { type Biquad, lowShelf } from './biquad.ts'
import { CELL_FRAMES } from './kernel.ts'
import { designResampler, type ResamplerDesign } from './resampler-design.ts'
import { outputFrames, sourceRange } from './resampler-grid.ts'
import { impulseFrames, MAX_REVERB_SECONDS, MIN_REVERB_SECONDS, type ReverbSettings } from './reverb.ts'

export interface RenderSettings {
  readonly sampleRate: number
  /** Input frames for an output frame: speed x 2^(pitch / 12). */
  readonly rate: number
  /** How far the bass is lifted, in dB; 0 leaves it alone. */
  readonly bassDb?: number
  readonly reverb?: ReverbSettings
}

/** What follows from a sound's settings. */
export interface RenderPlan {
  readonly design: ResamplerDesign
  readonly bass: Biquad | undefined
  readonly reverb: PlannedReverb | undefined
  /** Output frames before a cell over which its filter settles: cells begin from rest, wherever a render begins. */
  readonly settleFrames: number
}

/** The impulse itself is worked out where it is used. */
export interface PlannedReverb extends ReverbSettings {
  readonly sampleRate: number
  readonly frames: number
  /** Cells of the impulse. */
  readonly partitions: number
}

const BASS_HZ = 110
/** Until what the filter still knew of before is 140 dB down, even at 20 dB of bass. */
const SETTLE_SECONDS = 0.06

/** The kernel's own tables, the cells, and a segment. */
const TABLE_BYTES = 5 * 2 ** 20

/** @throws RangeError for a rate or a reverb out of range */
export function planRender({ sampleRate, rate, bassDb = 0, reverb }: RenderSettings): RenderPlan {
  return {
    design: designResampler(rate),
    bass: bassDb === 0 ? undefined : lowShelf(BASS_HZ, bassDb, sampleRate),
    reverb: reverb === undefined || reverb.amount === 0 ? undefined : planReverb(reverb, sampleRate),
    settleFrames: bassDb === 0 ? 0 : Math.min(CELL_FRAMES, Math.ceil(SETTLE_SECONDS * sampleRate)),
  }
}

function planReverb({ seconds, amount }: ReverbSettings, sampleRate: number): PlannedReverb {
  if (!(seconds >= MIN_REVERB_SECONDS && seconds <= MAX_REVERB_SECONDS)) throw new RangeError(`a reverb of ${seconds} s`)
  const frames = impulseFrames(seconds, sampleRate)
  return { seconds, amount, sampleRate, frames, partitions: Math.ceil(frames / CELL_FRAMES) }
}

/** Frames of the output for `inputFrames` of input: a reverb rings out after the sound. Nothing becomes nothing. */
export function plannedFrames({ design, reverb }: RenderPlan, inputFrames: number): number {
  const frames = outputFrames(inputFrames, design.rate)
  return frames === 0 || reverb === undefined ? frames : frames + reverb.frames
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

/** Memory that the compiled kernel needs to render by this plan into an array of SEGMENT_FRAMES, for `createWasmKernel`. */
export function kernelBytes({ reverb }: RenderPlan): number {
  // Of the impulse and of the sound for each partition, and their sum: two parts each of two cells in single precision.
  const spectra = reverb === undefined ? 0 : 2 * reverb.partitions + 1
  return TABLE_BYTES + spectra * 16 * CELL_FRAMES
}
