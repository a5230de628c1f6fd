/** Frames of output that are rendered as one piece of work. */
export const SEGMENT_FRAMES = 2 ** 17

export interface Segment {
  readonly firstFrame: number
  readonly frames: number
}

/** An output of `frames` in pieces, which may be rendered in any order and by anyone: the sound is the same. */
export function segmentsOf(frames: number): Segment[] {
  return Array.from({ length: Math.ceil(frames / SEGMENT_FRAMES) }, (_, index) => {
    const firstFrame = index * SEGMENT_FRAMES
    return { firstFrame, frames: Math.min(SEGMENT_FRAMES, frames - firstFrame) }
  })
}
