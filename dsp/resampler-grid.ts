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
 * Yields the blocks that cover `frameCount` output frames from `firstFrame`. The boundaries of blocks do not depend on the requested range, and
 * positions are relative to the block's first frame. The samples of a frame are therefore bit-identical in any requested range.
 */
export function* listResamplerBlocks(
  { rate, hopFrames, leadFrames }: ResamplerDesign,
  firstFrame: number,
  frameCount: number,
): Generator<ResamplerBlock> {
  const endFrame = firstFrame + frameCount
  let nextFrame = firstFrame
  for (let index = Math.floor((firstFrame * rate) / hopFrames); nextFrame < endFrame; index++) {
    const startFrame = Math.ceil((index * hopFrames) / rate)
    const endOfBlock = Math.min(endFrame, Math.ceil(((index + 1) * hopFrames) / rate))
    if (endOfBlock <= nextFrame) continue
    const inputFrame = index * hopFrames - leadFrames
    yield {
      inputFrame,
      position: 2 * (startFrame * rate - inputFrame),
      skippedFrames: nextFrame - startFrame,
      firstFrame: nextFrame,
      frames: endOfBlock - nextFrame,
    }
    nextFrame = endOfBlock
  }
}

/**
 * Returns the input frames (end excluded) on which `frameCount` output frames from `firstFrame` depend. The range may exceed the sound.
 */
export function computeSourceRange(
  design: ResamplerDesign,
  firstFrame: number,
  frameCount: number,
): { startFrame: number; endFrame: number } {
  const { rate, hopFrames, leadFrames } = design
  if (frameCount <= 0) return { startFrame: 0, endFrame: 0 }
  const firstBlock = Math.floor((firstFrame * rate) / hopFrames)
  const lastBlock = Math.floor(((firstFrame + frameCount - 1) * rate) / hopFrames) + 1
  return { startFrame: firstBlock * hopFrames - leadFrames, endFrame: lastBlock * hopFrames - leadFrames + FFT_FRAMES }
}
