import { computePlannedOutputFrames, planRender, type RenderSettings } from '../../dsp/render-plan.ts'
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
const SEGMENTS_PER_REVERB_RUN = 8

const chooseDefaultWorkerCount = (): number => Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1))

export function createRenderPool(workerCount = chooseDefaultWorkerCount()): RenderPool {
  let renderClients: RenderClient[] = []

  function terminateWorkers() {
    for (const client of renderClients) client.terminate()
    renderClients = []
  }

  async function startJob(
    { sound, settings, cache }: RenderJob,
    cacheFiles: readonly (ScratchFile | undefined)[],
    signal: AbortSignal,
  ): Promise<Rendering> {
    signal.throwIfAborted()
    while (renderClients.length < workerCount) renderClients.push(createRenderClient())
    const jobClients = renderClients
    await Promise.all(
      jobClients.map((client, workerIndex) => {
        const cacheFileName = cacheFiles[workerIndex]?.name
        return client.open(sound, settings, {
          memoryBytes: Math.floor(cache.memoryBytes / jobClients.length),
          file:
            cacheFileName === undefined ? undefined : { name: cacheFileName, maxBytes: Math.floor(cache.diskBytes / jobClients.length) },
        })
      }),
    )
    const plan = planRender(settings)
    return createRendering(
      jobClients,
      computePlannedOutputFrames(plan, sound.frames),
      plan.reverb === undefined ? 1 : SEGMENTS_PER_REVERB_RUN,
    )
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
      const cacheFilesPromise = Promise.all(job.cache.diskBytes > 0 ? Array.from({ length: workerCount }, createScratchFile) : [])
      const runJob = async () => {
        const renderResult = await runRendering(await startJob(job, await cacheFilesPromise, signal))
        // Throws if the signal was aborted while the workers were prepared, because the workers may already belong to the next job.
        signal.throwIfAborted()
        await Promise.all(renderClients.map((client) => client.close()))
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
        void cacheFilesPromise.then((files) => files.map((file) => file?.dispose()))
      }
    },
    dispose: terminateWorkers,
  }
}

function createRendering(clients: readonly RenderClient[], frameCount: number, segmentsPerRun: number): Rendering {
  let workerIndexByRun: readonly number[] | undefined
  const cachedFirstFrames = new Set<number>()
  /** How many segments, rendered or in progress, may be ahead of the next segment to deliver. */
  const maxSegmentsAhead = 2 * clients.length * segmentsPerRun + CALLS_PER_WORKER * clients.length

  return {
    frames: frameCount,
    workerCount: clients.length,
    async renderPass(createRequest, deliver) {
      const segmentRuns = createSegmentAssignment(frameCount, segmentsPerRun, workerIndexByRun)
      const finishedSegments = new Map<number, { segment: OutputSegment; response: SegmentResponse }>()
      let nextSegmentIndex = 0
      let isDeliveryRunning = false
      let hasPassEnded = false
      let waitingWorkers: (() => void)[] = []

      function wakeWaitingWorkers() {
        const resolvers = waitingWorkers
        waitingWorkers = []
        for (const resolve of resolvers) resolve()
      }

      async function deliverInOrder() {
        if (isDeliveryRunning) return
        isDeliveryRunning = true
        for (
          let readySegment = finishedSegments.get(nextSegmentIndex);
          readySegment !== undefined;
          readySegment = finishedSegments.get(nextSegmentIndex)
        ) {
          finishedSegments.delete(nextSegmentIndex)
          await deliver(readySegment.segment, readySegment.response)
          nextSegmentIndex++
          wakeWaitingWorkers()
        }
        isDeliveryRunning = false
      }

      async function renderRuns(client: RenderClient, workerIndex: number) {
        for (
          let outputSegment = segmentRuns.take(workerIndex);
          outputSegment !== undefined && !hasPassEnded;
          outputSegment = segmentRuns.take(workerIndex)
        ) {
          while (outputSegment.index - nextSegmentIndex >= maxSegmentsAhead && !hasPassEnded)
            await new Promise<void>((resolve) => waitingWorkers.push(resolve))
          const { index, firstFrame } = outputSegment
          const response = await client.render({
            ...outputSegment,
            ...createRequest(outputSegment),
            fromCache: cachedFirstFrames.has(firstFrame),
          })
          if (response.isCached) cachedFirstFrames.add(firstFrame)
          finishedSegments.set(index, { segment: outputSegment, response })
          await deliverInOrder()
        }
      }

      try {
        await Promise.all(clients.flatMap((client, worker) => Array.from({ length: CALLS_PER_WORKER }, () => renderRuns(client, worker))))
      } finally {
        hasPassEnded = true
        wakeWaitingWorkers()
      }
      workerIndexByRun = segmentRuns.workerOfRun
    },
  }
}
