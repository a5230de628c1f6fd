import { computePlannedSourceRange, planRender, type RenderPlan, type RenderSettings } from '../../dsp/render-plan.ts'
import { createArrayPool } from './array-pool.ts'
import { loadKernelModule } from './kernel-module.ts'
import type { Sound } from './sound.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import { type CacheLimits, NO_CACHE, type RenderCalls, type SegmentRequest, type SourceRange } from './workers/calls.ts'
import renderWorkerUrl from './workers/render-worker.ts?worker&url'

export interface SegmentJob extends Omit<SegmentRequest, 'source'> {
  /** Whether the segment is taken from the worker's cache instead of being rendered. */
  readonly fromCache?: boolean
}

/** The page's side of one render worker. It reads the source frames that each segment needs, and sends them to the worker with the call. */
export function createRenderClient() {
  const renderWorker = createWorkerClient<RenderCalls>(startWorker(renderWorkerUrl))
  let currentRendering: { readonly sound: Sound; readonly plan: RenderPlan } | undefined
  /** The end of the last rendered segment. The next segment needs fewer source frames if it follows directly. */
  let renderedToFrame = -1
  const arrayPool = createArrayPool()
  let wasmKernel: { readonly module: WebAssembly.Module | undefined } | undefined
  /** Settles when the previous call has been sent to the worker; undefined if no call waits to be sent. */
  let previousSent: Promise<unknown> | undefined

  /**
   * Sends a call to the worker, after any earlier call that is still being sent: reading the sound may be slow, but segments must reach the
   * worker in the order of the calls.
   */
  function sendInOrder<T>(sendRequest: () => Promise<T>): Promise<T> {
    const resultPromise = previousSent === undefined ? sendRequest() : previousSent.then(sendRequest)
    const settledCall: Promise<void> = resultPromise
      .catch(() => {})
      .then(() => {
        if (previousSent === settledCall) previousSent = undefined
      })
    previousSent = settledCall
    return resultPromise
  }

  /** Reads the source frames of a segment, without those before the start or after the end of the sound. */
  async function readSource(
    { sound, plan }: NonNullable<typeof currentRendering>,
    firstFrame: number,
    frameCount: number,
    isContinuation: boolean,
  ): Promise<SourceRange> {
    const sourceRange = computePlannedSourceRange(plan, firstFrame, frameCount, isContinuation)
    const startFrame = Math.min(sound.frames, Math.max(0, sourceRange.startFrame))
    const rangeFrames = Math.max(0, Math.min(sound.frames, sourceRange.endFrame) - startFrame)
    const channels = Array.from({ length: sound.channels }, () => arrayPool.take(rangeFrames))
    if (rangeFrames > 0) await sound.read(startFrame, channels)
    return { channels, startFrame }
  }

  return {
    async open(sound: Sound, settings: RenderSettings, cache: CacheLimits = NO_CACHE) {
      renderedToFrame = -1
      const isSameSound = currentRendering?.sound === sound
      currentRendering = { sound, plan: planRender(settings) }
      const sentCall = await sendInOrder(async () => {
        wasmKernel ??= { module: await loadKernelModule() }
        return { response: renderWorker.call('open', { ...wasmKernel, settings, isSameSound, channels: sound.channels, cache }) }
      })
      await sentCall.response
    },
    /** Renders a segment of at most SEGMENT_FRAMES. Calls are processed in order. */
    async render({ fromCache = false, ...segment }: SegmentJob) {
      const activeRendering = currentRendering
      if (activeRendering === undefined) throw new Error('render was called before open')
      const { firstFrame, frames } = segment
      const isContinuation = renderedToFrame === firstFrame
      if (!fromCache) renderedToFrame = firstFrame + frames
      const sentCall = await sendInOrder(async () => {
        const source = fromCache ? undefined : await readSource(activeRendering, firstFrame, frames, isContinuation)
        const transfer = source?.channels.map(({ buffer }) => buffer)
        return { response: renderWorker.call('render', { source, ...segment }, { transfer }) }
      })
      const response = await sentCall.response
      arrayPool.add(response.source?.channels ?? [])
      return response
    },
    /** Prepares the worker so that later changes of the reverb are quick. Preparing takes some 50 ms. */
    async warmUp() {
      await renderWorker.call('warmUp', undefined)
    },
    async close() {
      currentRendering = undefined
      await renderWorker.call('close', undefined)
    },
    /** Terminates the worker. Pending calls reject with an AbortError. */
    terminate: renderWorker.terminate,
  }
}

export type RenderClient = ReturnType<typeof createRenderClient>
