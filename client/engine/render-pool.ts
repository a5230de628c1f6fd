import { plannedFrames, planRender, type RenderSettings } from '../../dsp/render-plan.ts'
import type { SegmentAnswer } from './render-messages.ts'
import { createRenderThread, type RenderThread, type SegmentOrder } from './render-thread.ts'
import { createScratch, type ScratchFile } from './scratch.ts'
import { createSegmentRuns, type OutputSegment } from './segment-runs.ts'
import type { Sound } from './sound.ts'

/** Workers that render whole sounds. */
export interface RenderPool {
  /**
   * Makes a sound ready, and gives it to `use`. One at a time. Where `signal` aborts or anything fails the workers are ended at once, and
   * what was asked of them rejects.
   */
  run<T>(job: RenderJob, signal: AbortSignal, use: (rendering: Rendering) => Promise<T>): Promise<T>
  dispose(): void
}

export interface RenderJob {
  readonly sound: Sound
  readonly settings: RenderSettings
  /** The most that is kept between passes, over all workers. */
  readonly keep: { readonly memoryBytes: number; readonly diskBytes: number }
}

export interface Rendering {
  /** Of the output. */
  readonly frames: number
  /**
   * Has every segment rendered once, or taken from what was kept, and hands them over in order; the next come only as fast as `deliver` is
   * through with them.
   */
  pass(
    order: (segment: OutputSegment) => PassOrder,
    deliver: (segment: OutputSegment, answer: SegmentAnswer) => Promise<void> | void,
  ): Promise<void>
}

export type PassOrder = Pick<SegmentOrder, 'output' | 'gain' | 'keep'>

/** Work that is on its way to a worker while another is done. */
const IN_FLIGHT = 2
/** With a past to catch up on, neighbours are best rendered by one worker. */
const RUN_SEGMENTS = 8

export const defaultWorkers = (): number => Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1))

export function createRenderPool(workers = defaultWorkers()): RenderPool {
  let threads: RenderThread[] = []

  function terminate() {
    for (const thread of threads) thread.terminate()
    threads = []
  }

  async function start(
    { sound, settings, keep }: RenderJob,
    spill: readonly (ScratchFile | undefined)[],
    signal: AbortSignal,
  ): Promise<Rendering> {
    signal.throwIfAborted()
    while (threads.length < workers) threads.push(createRenderThread())
    const own = threads
    await Promise.all(
      own.map((thread, worker) => {
        const name = spill[worker]?.name
        return thread.open(sound, settings, {
          memoryBytes: Math.floor(keep.memoryBytes / own.length),
          file: name === undefined ? undefined : { name, maxBytes: Math.floor(keep.diskBytes / own.length) },
        })
      }),
    )
    const plan = planRender(settings)
    return createRendering(own, plannedFrames(plan, sound.frames), plan.reverb === undefined ? 1 : RUN_SEGMENTS)
  }

  return {
    async run(job, signal, use) {
      signal.throwIfAborted()
      // Nothing is waited for any longer, a sink or a disk that does not answer neither.
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      const spilling = Promise.all(job.keep.diskBytes > 0 ? Array.from({ length: workers }, createScratch) : [])
      const work = async () => {
        const result = await use(await start(job, await spilling, signal))
        // A sink may have ended after that: the workers are those of another sound by then.
        signal.throwIfAborted()
        await Promise.all(threads.map((thread) => thread.close()))
        return result
      }
      try {
        return await Promise.race([work(), aborted])
      } catch (error) {
        terminate()
        throw error
      } finally {
        // Nobody waits for a file that nothing needs.
        void spilling.then((files) => files.map((file) => file?.dispose()))
      }
    },
    dispose: terminate,
  }
}

function createRendering(threads: readonly RenderThread[], frames: number, runSegments: number): Rendering {
  let owners: readonly number[] | undefined
  const kept = new Set<number>()
  /** Finished segments that wait for an earlier one, and those under way. */
  const window = 2 * threads.length * runSegments + IN_FLIGHT * threads.length

  return {
    frames,
    async pass(order, deliver) {
      const runs = createSegmentRuns(frames, runSegments, owners)
      const finished = new Map<number, { segment: OutputSegment; answer: SegmentAnswer }>()
      let next = 0
      let delivering = false
      let failed = false
      let wake: (() => void)[] = []

      async function deliverInOrder() {
        if (delivering) return
        delivering = true
        for (let ready = finished.get(next); ready !== undefined; ready = finished.get(next)) {
          finished.delete(next)
          await deliver(ready.segment, ready.answer)
          next++
          for (const each of wake.splice(0)) each()
        }
        delivering = false
      }

      async function lane(thread: RenderThread, worker: number) {
        for (let segment = runs.take(worker); segment !== undefined && !failed; segment = runs.take(worker)) {
          while (segment.index - next >= window && !failed) await new Promise<void>((resolve) => wake.push(resolve))
          const { index, firstFrame } = segment
          const answer = await thread.render({ ...segment, ...order(segment), fromKept: kept.has(firstFrame) })
          if (answer.kept) kept.add(firstFrame)
          finished.set(index, { segment, answer })
          await deliverInOrder()
        }
      }

      try {
        await Promise.all(threads.flatMap((thread, worker) => Array.from({ length: IN_FLIGHT }, () => lane(thread, worker))))
      } finally {
        failed = true
        const sleepers = wake
        wake = []
        for (const each of sleepers) each()
      }
      owners = runs.owners
    },
  }
}
