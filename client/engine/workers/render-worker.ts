import { type Kernel, SEGMENT_FRAMES } from '../../../dsp/kernel.ts'
import { PEAK_CEILING } from '../../../dsp/levels.ts'
import { referenceKernel } from '../../../dsp/reference/kernel.ts'
import { computeKernelMemoryBytes, planRender, type RenderPlan } from '../../../dsp/render-plan.ts'
import { createRenderer, type Renderer } from '../../../dsp/renderer.ts'
import { designImpulse, MAX_REVERB_SECONDS } from '../../../dsp/reverb.ts'
import { createWasmKernel } from '../../../dsp/wasm/kernel.ts'
import type { RenderCalls, SegmentRequest, SegmentResponse } from './calls.ts'
import { createSegmentCache, type SegmentCache } from './segment-cache.ts'
import { convertSegment } from './segment-output.ts'
import { type CallReply, serveCalls } from './serve-calls.ts'

/** A kernel and its buffers, large enough for sounds of up to `sampleRate`. */
interface RenderMemory {
  readonly sampleRate: number
  readonly kernel: Kernel
  readonly renderer: Renderer
  readonly buffer: Float32Array
}

/**
 * The number of reverbs to compute until the browser has compiled the code: the first one takes some 50 ms, the last one 1 ms (measured in
 * Chromium 156).
 */
const WARM_UP_RUNS = 4
const WARM_UP_SECONDS = 0.5

let memory: RenderMemory | undefined
let renderJob: { readonly plan: RenderPlan; readonly channels: 1 | 2; readonly cache: SegmentCache } | undefined

serveCalls<RenderCalls>({
  async open({ module, settings, isSameSound, channels, cache }) {
    const earlierPlan = isSameSound ? renderJob?.plan : undefined
    closeJob()
    if (memory === undefined || memory.sampleRate < settings.sampleRate) memory = allocateMemory(module, settings.sampleRate)
    const renderPlan = planRender(settings, earlierPlan)
    // The worker prepares the settings when it opens the sound, while the page draws its controls, so that the first segment is not
    // delayed.
    memory.renderer.prepare(renderPlan)
    renderJob = { plan: renderPlan, channels, cache: await createSegmentCache(cache) }
    return { response: undefined }
  },
  render: renderSegment,
  warmUp() {
    for (let run = 0; run < WARM_UP_RUNS; run++) designImpulse(WARM_UP_SECONDS, memory?.sampleRate ?? 44_100)
    return { response: undefined }
  },
  close() {
    closeJob()
    return { response: undefined }
  },
})

function closeJob() {
  renderJob?.cache.close()
  renderJob = undefined
}

function allocateMemory(module: WebAssembly.Module | undefined, sampleRate: number): RenderMemory {
  // The kernel's memory is sized for the longest reverb, so that no change of settings needs another kernel. Pages of memory that are never
  // written occupy no physical memory.
  const largestPlan = planRender({ sampleRate, rate: 1, bassDb: 1, reverb: { seconds: MAX_REVERB_SECONDS, amount: 1 } })
  const kernel = module === undefined ? referenceKernel : createWasmKernel(module, computeKernelMemoryBytes(largestPlan))
  return { sampleRate, kernel, renderer: createRenderer(kernel), buffer: kernel.allocate(2 * SEGMENT_FRAMES) }
}

function renderSegment(request: SegmentRequest): CallReply<SegmentResponse> {
  if (renderJob === undefined || memory === undefined) throw new Error('render was called before open')
  const { plan, channels } = renderJob
  const { firstFrame, frames, source, cache } = request
  const { kernel, renderer, buffer } = memory
  const outputDeps = { kernel, channels, sampleRate: plan.dry.sampleRate }
  const outputSamples = buffer.subarray(0, channels * frames)
  if (source === undefined) {
    renderJob.cache.take(firstFrame, outputSamples)
    return createSegmentReply({ peak: 0, isCached: true, samples: convertSegment(outputDeps, request, outputSamples), source })
  }
  const [leftSamples, rightSamples] = source.channels
  if (leftSamples === undefined) throw new Error('the source range has no channel')
  const { startFrame } = source
  renderer.render(
    plan,
    { channels: rightSamples === undefined ? [leftSamples] : [leftSamples, rightSamples], startFrame },
    firstFrame,
    outputSamples,
  )
  const peakLevel = kernel.measurePeak(outputSamples)
  const isClipping = peakLevel > PEAK_CEILING
  const isCached = (cache === 'always' || (cache === 'if-clipping' && isClipping)) && renderJob.cache.store(firstFrame, outputSamples)
  const output = cache === 'if-clipping' && isClipping ? [] : convertSegment(outputDeps, request, outputSamples)
  return createSegmentReply({ peak: peakLevel, isCached, samples: output, source })
}

const createSegmentReply = (response: SegmentResponse): CallReply<SegmentResponse> => ({
  response,
  transfer: [...response.samples, ...(response.source?.channels ?? [])].map(({ buffer }) => buffer),
})
