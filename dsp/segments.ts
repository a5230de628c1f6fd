/** Frames of output that are rendered as one piece of work: whole cells. */
export const SEGMENT_FRAMES = 2 ** 17

export interface Segment {
  readonly index: number
  readonly firstFrame: number
  readonly frames: number
  /** Whether the same worker's piece before this one is the one that comes before it in the sound: it then has the past still. */
  readonly continues: boolean
}

/** The pieces of an output, to be taken by workers in any order: the sound is the same. */
export interface SegmentQueue {
  readonly length: number
  /** The next piece for worker `worker` (from 0); undefined when all are taken. */
  take(worker: number): Segment | undefined
}

/**
 * Each of the workers has a share of neighbours, since what follows upon their last piece is less work; who is through with it helps where most
 * is left, from the end.
 */
export function createSegmentQueue(frames: number, workers: number): SegmentQueue {
  const length = Math.ceil(frames / SEGMENT_FRAMES)
  const shares = Array.from({ length: workers }, (_, worker) => ({
    next: Math.round((worker * length) / workers),
    end: Math.round(((worker + 1) * length) / workers),
    last: -1,
  }))
  const left = ({ next, end }: (typeof shares)[number]) => end - next
  return {
    length,
    take(worker) {
      const own = shares[worker]
      if (own === undefined) throw new RangeError(`there is no worker ${worker}`)
      const fullest = shares.reduce((most, share) => (left(share) > left(most) ? share : most), own)
      if (left(fullest) <= 0) return undefined
      const index = left(own) > 0 ? own.next++ : --fullest.end
      const continues = index > 0 && own.last === index - 1
      own.last = index
      const firstFrame = index * SEGMENT_FRAMES
      return { index, firstFrame, frames: Math.min(SEGMENT_FRAMES, frames - firstFrame), continues }
    },
  }
}
