import { type Biquad, designLowShelf } from './biquad.ts'
import { CELL_FRAMES } from './kernel.ts'
import { computeStepsSourceRange, designSteps, type ResamplingSteps } from './resample-steps.ts'
import { countOutputFrames } from './resampler-grid.ts'
import { computeImpulseFrames, MAX_REVERB_SECONDS, MIN_REVERB_SECONDS, type ReverbSettings } from './reverb.ts'

export interface RenderSettings {
  readonly sampleRate: number
  /** The number of input frames per output frame: speed x 2^(pitch / 12). */
  readonly rate: number
  /** The gain of the bass shelf filter in dB; 0 disables the filter. */
  readonly bassDb?: number
  readonly reverb?: ReverbSettings
}

/** The filter coefficients and the numbers of frames that follow from render settings. */
export interface RenderPlan {
  readonly dry: DryPlan
  readonly reverb: PlannedReverb | undefined
}

/** The steps before the reverb. A renderer caches the frames that it has rendered, and reuses them for plans that share this object. */
export interface DryPlan {
  /** The number of input frames per output frame. */
  readonly rate: number
  readonly steps: ResamplingSteps
  readonly sampleRate: number
  readonly bassDb: number
  readonly bassFilter: Biquad | undefined
  /**
   * The number of output frames that are filtered before each cell (CELL_FRAMES frames), because each cell starts with zero filter state.
   */
  readonly settleFrames: number
}

/** The length of the reverb. The convolver computes the impulse response itself. */
export interface PlannedReverb extends ReverbSettings {
  readonly sampleRate: number
  readonly frames: number
  /** The length of the impulse response in cells of CELL_FRAMES frames, rounded up. */
  readonly partitionCount: number
}

const BASS_HZ = 110
/** The time in seconds in which the filter's transient response decays by 140 dB at a bass gain of 20 dB. */
const BASS_FILTER_SETTLE_SECONDS = 0.06

/** The memory in bytes for everything except spectra: the kernel's tables, the cells of CELL_FRAMES frames, and a segment of output. */
const KERNEL_MEMORY_BYTES = 5 * 2 ** 20

/**
 * Derives the filters and lengths of a rendering from its settings. If only the reverb differs from `earlierPlan`, a plan of the same sound, the
 * new plan shares its dry part.
 *
 * @throws RangeError for a rate or a reverb out of range
 */
export function planRender(settings: RenderSettings, earlierPlan?: RenderPlan): RenderPlan {
  const { sampleRate, rate, bassDb = 0, reverb } = settings
  const earlierDry = earlierPlan?.dry
  const isSameDryPlan = earlierDry?.rate === rate && earlierDry.sampleRate === sampleRate && earlierDry.bassDb === bassDb
  return {
    dry: isSameDryPlan ? earlierDry : planDry(sampleRate, rate, bassDb),
    reverb: reverb === undefined || reverb.amount === 0 ? undefined : planReverb(reverb, sampleRate),
  }
}

const planDry = (sampleRate: number, speedRate: number, bassDb: number): DryPlan => ({
  rate: speedRate,
  steps: designSteps(speedRate),
  sampleRate,
  bassDb,
  bassFilter: bassDb === 0 ? undefined : designLowShelf(BASS_HZ, bassDb, sampleRate),
  settleFrames: bassDb === 0 ? 0 : Math.min(CELL_FRAMES, Math.ceil(BASS_FILTER_SETTLE_SECONDS * sampleRate)),
})

function planReverb({ seconds, amount }: ReverbSettings, sampleRate: number): PlannedReverb {
  if (!(seconds >= MIN_REVERB_SECONDS && seconds <= MAX_REVERB_SECONDS))
    throw new RangeError(`A reverb of ${seconds} s is outside ${MIN_REVERB_SECONDS}..${MAX_REVERB_SECONDS} s`)
  const frames = computeImpulseFrames(seconds, sampleRate)
  return { seconds, amount, sampleRate, frames, partitionCount: Math.ceil(frames / CELL_FRAMES) }
}

/** Returns the number of output frames, including the reverb's tail; 0 if the input is empty. */
export function computePlannedOutputFrames({ dry, reverb }: RenderPlan, inputFrames: number): number {
  const frames = countOutputFrames(inputFrames, dry.rate)
  return frames === 0 || reverb === undefined ? frames : frames + reverb.frames
}

/**
 * Returns the range of input frames (end excluded) on which `frameCount` output frames from `firstFrame` depend. The range may exceed the sound.
 * The range is shorter if `isContinuation` is true, which states that the same renderer has just rendered the preceding frames with the same plan.
 */
export function computePlannedSourceRange(
  plan: RenderPlan,
  firstFrame: number,
  frameCount: number,
  isContinuation = false,
): { startFrame: number; endFrame: number } {
  const { steps, bassFilter, settleFrames } = plan.dry
  const { reverb } = plan
  if (frameCount <= 0 || (bassFilter === undefined && reverb === undefined)) return computeStepsSourceRange(steps, firstFrame, frameCount)
  const firstCellIndex = Math.floor(firstFrame / CELL_FRAMES) - (isContinuation ? 0 : (reverb?.partitionCount ?? 0))
  const start = Math.max(0, firstCellIndex * CELL_FRAMES - settleFrames)
  const end = Math.ceil((firstFrame + frameCount) / CELL_FRAMES) * CELL_FRAMES
  return computeStepsSourceRange(steps, start, end - start)
}

/**
 * Returns the memory in bytes that the compiled kernel needs to render segments, which are jobs of at most SEGMENT_FRAMES frames, by this plan. The
 * result is for `createWasmKernel`.
 */
export function computeKernelMemoryBytes({ reverb }: RenderPlan): number {
  // The memory for the spectra: one for each partition of the impulse response, one for each partition of the input, and one for the sum. A
  // spectrum has 2 x 2 x CELL_FRAMES floats of 4 bytes.
  const spectrumCount = reverb === undefined ? 0 : 2 * reverb.partitionCount + 1
  return KERNEL_MEMORY_BYTES + spectrumCount * 16 * CELL_FRAMES
}
