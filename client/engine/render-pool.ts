import { plannedOutputFrames, planRender, type RenderSettings } from '../../dsp/render-plan.ts'
import { createRenderClient, type RenderClient, type SegmentJob } from './render-client.ts'
import { createScratchFile, type ScratchFile } from './scratch.ts'
import { createSegmentAssignment, type OutputSegment } from './segment-assignment.ts'
import type { Sound } from './sound.ts'
import type { SegmentResponse } from './workers/calls.ts'

/** Workers that render whole sounds. They are started by the first job and reused by later ones. */
export interface RenderPool {
  /**
   * Prepares the workers for a sound, and calls `use` with the functions that render the sound. Jobs must not overlap. If `signal` is
   * aborted, the workers are terminated before `abort` returns, and the next job may begin. If anything fails, they are terminated, too.
   * Their pending calls reject.
   */
  run<T>(job: RenderJob, signal: AbortSignal, use: (rendering: Rendering) => Promise<T>): Promise<T>
  dispose(): void
}

export interface RenderJob {
  readonly sound: Sound
  readonly settings: RenderSettings
  /** The size in bytes of the segment caches of all workers together. */
  readonly cache: { readonly memoryBytes: number; readonly diskBytes: number }
}

export interface Rendering {
  readonly frames: number
  /** The number of workers that render. */
  readonly workerCount: number
  /**
   * Renders every segment once, or takes the segment from a cache, and delivers the segments in order. Rendering is ahead of `deliver` by a
   * limited number of segments.
   */
  renderPass(
    request: (segment: OutputSegment) => RenderPassRequest,
    deliver: (segment: OutputSegment, response: SegmentResponse) => Promise<void> | void,
  ): Promise<void>
}

export type RenderPassRequest = Pick<SegmentJob, 'output' | 'gain' | 'cache'>

/** The number of calls that are sent to each worker at a time, so that the worker does not wait for the page between two segments. */
const CALLS_PER_WORKER = 2
/**
 * The number of consecutive segments, called a run, that one worker renders if there is a reverb. To render a run, the worker must start
 * some time before the run, because the reverb of the earlier samples reaches into it.
 */
const REVERB_RUN_SEGMENTS = 8

const defaultWorkers = (): number => Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1))

export function createRenderPool(workerCount = defaultWorkers()): RenderPool {
  let clients: RenderClient[] = []

  function terminateWorkers() {
    for (const client of clients) client.terminate()
    clients = []
  }

  async function startJob(
    { sound, settings, cache }: RenderJob,
    cacheFiles: readonly (ScratchFile | undefined)[],
    signal: AbortSignal,
  ): Promise<Rendering> {
    signal.throwIfAborted()
    while (clients.length < workerCount) clients.push(createRenderClient())
    const jobClients = clients
    await Promise.all(
      jobClients.map((client, workerIndex) => {
        const name = cacheFiles[workerIndex]?.name
        return client.open(sound, settings, {
          memoryBytes: Math.floor(cache.memoryBytes / jobClients.length),
          file: name === undefined ? undefined : { name, maxBytes: Math.floor(cache.diskBytes / jobClients.length) },
        })
      }),
    )
    const plan = planRender(settings)
    return createRendering(jobClients, plannedOutputFrames(plan, sound.frames), plan.reverb === undefined ? 1 : REVERB_RUN_SEGMENTS)
  }

  return {
    async run(job, signal, runRendering) {
      signal.throwIfAborted()
      // An abort terminates the workers and rejects the promise of the job immediately, even if a sink or the disk does not respond.
      let onAbort = () => {}
      const abortPromise = new Promise<never>((_, reject) => {
        onAbort = () => {
          terminateWorkers()
          reject(signal.reason)
        }
        signal.addEventListener('abort', onAbort)
      })
      const creatingFiles = Promise.all(job.cache.diskBytes > 0 ? Array.from({ length: workerCount }, createScratchFile) : [])
      const runJob = async () => {
        const renderResult = await runRendering(await startJob(job, await creatingFiles, signal))
        // Throws if the signal was aborted while the workers were prepared, because the workers may already belong to the next job.
        signal.throwIfAborted()
        await Promise.all(clients.map((client) => client.close()))
        return renderResult
      }
      try {
        return await Promise.race([runJob(), abortPromise])
      } catch (error) {
        // After an abort, the workers belong to the next job.
        if (!signal.aborted) terminateWorkers()
        throw error
      } finally {
        signal.removeEventListener('abort', onAbort)
        // The removal of the cache files is not awaited, so that it does not delay the result.
        void creatingFiles.then((files) => files.map((file) => file?.dispose()))
      }
    },
    dispose: terminateWorkers,
  }
}

function createRendering(clients: readonly RenderClient[], frames: number, runSegments: number): Rendering {
  let workerOfRun: readonly number[] | undefined
  const cachedFrames = new Set<number>()
  /** How many segments, rendered or in progress, may be ahead of the next segment to deliver. */
  const windowSegments = 2 * clients.length * runSegments + CALLS_PER_WORKER * clients.length

  return {
    frames,
    workerCount: clients.length,
    async renderPass(request, deliver) {
      const segmentRuns = createSegmentAssignment(frames, runSegments, workerOfRun)
      const finishedSegments = new Map<number, { segment: OutputSegment; response: SegmentResponse }>()
      let nextIndex = 0
      let isDelivering = false
      let hasEnded = false
      let waitingWorkers: (() => void)[] = []

      function wakeAll() {
        const resolvers = waitingWorkers
        waitingWorkers = []
        for (const resolve of resolvers) resolve()
      }

      async function deliverInOrder() {
        if (isDelivering) return
        isDelivering = true
        for (
          let readySegment = finishedSegments.get(nextIndex);
          readySegment !== undefined;
          readySegment = finishedSegments.get(nextIndex)
        ) {
          finishedSegments.delete(nextIndex)
          await deliver(readySegment.segment, readySegment.response)
          nextIndex++
          wakeAll()
        }
        isDelivering = false
      }

      async function renderRuns(client: RenderClient, workerIndex: number) {
        for (let segment = segmentRuns.take(workerIndex); segment !== undefined && !hasEnded; segment = segmentRuns.take(workerIndex)) {
          while (segment.index - nextIndex >= windowSegments && !hasEnded)
            await new Promise<void>((resolve) => waitingWorkers.push(resolve))
          const { index, firstFrame } = segment
          const response = await client.render({ ...segment, ...request(segment), fromCache: cachedFrames.has(firstFrame) })
          if (response.isCached) cachedFrames.add(firstFrame)
          finishedSegments.set(index, { segment, response })
          await deliverInOrder()
        }
      }

      try {
        await Promise.all(clients.flatMap((client, worker) => Array.from({ length: CALLS_PER_WORKER }, () => renderRuns(client, worker))))
      } finally {
        hasEnded = true
        wakeAll()
      }
      workerOfRun = segmentRuns.workerOfRun
    },
  }
}
