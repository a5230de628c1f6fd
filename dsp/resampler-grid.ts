import { FFT_FRAMES, type ResamplerDesign } from './resampler-design.ts'

export const countOutputFrames = (inputFrames: number, rate: number): number => Math.round(inputFrames / rate)

/** A run of output frames that is computed from one transform. */
export interface ResamplerBlock {
  /** The first input frame that the transform reads. */
  readonly inputFrame: number
  /** The position of the block's first output frame, in samples of the doubled rate from `inputFrame`. */
  readonly position: number
  /** The number of output frames at the start of the block that precede the requested range. */
  readonly skippedFrames: number
  readonly firstFrame: number
  readonly frames: number
}

/**
 * Yields the blocks that cover output frames firstFrame .. firstFrame + frames. The boundaries of blocks do not depend on the requested range, and
 * positions are relative to the block's first frame. The samples of a frame are therefore bit-identical in any requested range.
 */
export function* listResamplerBlocks(
  { rate, hopFrames, leadFrames }: ResamplerDesign,
  firstFrame: number,
  frames: number,
): Generator<ResamplerBlock> {
  const endFrame = firstFrame + frames
  let nextFrame = firstFrame
  for (let index = Math.floor((firstFrame * rate) / hopFrames); nextFrame < endFrame; index++) {
    const start = Math.ceil((index * hopFrames) / rate)
    const end = Math.min(endFrame, Math.ceil(((index + 1) * hopFrames) / rate))
    if (end <= nextFrame) continue
    const inputFrame = index * hopFrames - leadFrames
    yield {
      inputFrame,
      position: 2 * (start * rate - inputFrame),
      skippedFrames: nextFrame - start,
      firstFrame: nextFrame,
      frames: end - nextFrame,
    }
    nextFrame = end
  }
}

/**
 * Returns the input frames (end excluded) that output frames firstFrame .. firstFrame + frames depend on. The range may exceed the sound.
 */
export function sourceRange(design: ResamplerDesign, firstFrame: number, frames: number): { startFrame: number; endFrame: number } {
  const { rate, hopFrames, leadFrames } = design
  if (frames <= 0) return { startFrame: 0, endFrame: 0 }
  const firstBlock = Math.floor((firstFrame * rate) / hopFrames)
  const lastBlock = Math.floor(((firstFrame + frames - 1) * rate) / hopFrames) + 1
  return { startFrame: firstBlock * hopFrames - leadFrames, endFrame: lastBlock * hopFrames - leadFrames + FFT_FRAMES }
}
