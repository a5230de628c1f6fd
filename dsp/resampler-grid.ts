import { FFT_FRAMES, type ResamplerDesign } from './resampler-design.ts'

/** Frames of the output for `inputFrames` of input. */
export const outputFrames = (inputFrames: number, rate: number): number => Math.round(inputFrames / rate)

/** A run of output frames that one transform serves. */
export interface Block {
  /** Input frame at which its transform begins. */
  readonly inputFrame: number
  /** Steps of the doubled rate from there to the block's first output frame, whether that is wanted or not. */
  readonly position: number
  /** How many of the block's frames come before the wanted ones. */
  readonly skip: number
  readonly firstFrame: number
  readonly frames: number
}

/**
 * The blocks that give output frames firstFrame .. firstFrame + frames. They lie on one grid for the whole sound, and every position is
 * counted from its block's first frame: a frame comes out the same bit for bit, in whatever range it is asked for.
 */
export function* blocksOf({ rate, hopFrames, leadFrames }: ResamplerDesign, firstFrame: number, frames: number): Generator<Block> {
  const endFrame = firstFrame + frames
  let next = firstFrame
  for (let index = Math.floor((firstFrame * rate) / hopFrames); next < endFrame; index++) {
    const start = Math.ceil((index * hopFrames) / rate)
    const end = Math.min(endFrame, Math.ceil(((index + 1) * hopFrames) / rate))
    if (end <= next) continue
    const inputFrame = index * hopFrames - leadFrames
    yield { inputFrame, position: 2 * (start * rate - inputFrame), skip: next - start, firstFrame: next, frames: end - next }
    next = end
  }
}

/** The input frames (end excluded, perhaps beyond the sound) that output frames firstFrame .. firstFrame + frames are made from. */
export function sourceRange(design: ResamplerDesign, firstFrame: number, frames: number): { startFrame: number; endFrame: number } {
  const { rate, hopFrames, leadFrames } = design
  if (frames <= 0) return { startFrame: 0, endFrame: 0 }
  const firstBlock = Math.floor((firstFrame * rate) / hopFrames)
  const lastBlock = Math.floor(((firstFrame + frames - 1) * rate) / hopFrames) + 1
  return { startFrame: firstBlock * hopFrames - leadFrames, endFrame: lastBlock * hopFrames - leadFrames + FFT_FRAMES }
}
