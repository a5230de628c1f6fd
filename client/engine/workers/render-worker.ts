import type { Kernel } from '../../../dsp/kernel.ts'
import { CEILING } from '../../../dsp/levels.ts'
import { referenceKernel } from '../../../dsp/reference/kernel.ts'
import { kernelBytes, planRender, type RenderPlan } from '../../../dsp/render-plan.ts'
import { createRenderer, type Renderer } from '../../../dsp/renderer.ts'
import { MAX_REVERB_SECONDS } from '../../../dsp/reverb.ts'
import { SEGMENT_FRAMES } from '../../../dsp/segments.ts'
import { createWasmKernel } from '../../../dsp/wasm/kernel.ts'
import type { OpenRequest, RenderAnswer, RenderRequest, SegmentAnswer, SegmentRequest } from '../render-messages.ts'
import { answerRequests, type Reply } from './answering.ts'
import { createKeptSegments, type KeptSegments } from './kept-segments.ts'

/** A kernel and what it renders with, for sounds of up to a sampling rate. */
interface Bench {
  readonly sampleRate: number
  readonly kernel: Kernel
  readonly renderer: Renderer
  readonly buffer: Float32Array
}

let bench: Bench | undefined
let job: { readonly plan: RenderPlan; readonly channels: 1 | 2; readonly kept: KeptSegments } | undefined

answerRequests<RenderRequest, RenderAnswer>(async (request) => {
  if (request.kind === 'segment') return renderSegment(request)
  job?.kept.close()
  job = undefined
  if (request.kind === 'close') return { answer: { kind: 'closed' } }
  await open(request)
  return { answer: { kind: 'opened' } }
})

async function open({ module, settings, channels, keepIn }: OpenRequest): Promise<void> {
  if (bench === undefined || bench.sampleRate < settings.sampleRate) bench = createBench(module, settings.sampleRate)
  job = { plan: planRender(settings), channels, kept: await createKeptSegments(keepIn) }
}

function createBench(module: WebAssembly.Module | undefined, sampleRate: number): Bench {
  // The longest reverb, so that no change of settings needs another kernel: memory that is not touched costs nothing.
  const largest = planRender({ sampleRate, rate: 1, bassDb: 1, reverb: { seconds: MAX_REVERB_SECONDS, amount: 1 } })
  const kernel = module === undefined ? referenceKernel : createWasmKernel(module, kernelBytes(largest))
  return { sampleRate, kernel, renderer: createRenderer(kernel), buffer: kernel.allocate(2 * SEGMENT_FRAMES) }
}

function renderSegment(request: SegmentRequest): Reply<SegmentAnswer> {
  if (job === undefined || bench === undefined) throw new Error('a segment came before its settings')
  const { plan, channels } = job
  const { firstFrame, frames, source, keep } = request
  const samples = bench.buffer.subarray(0, channels * frames)
  if (source === undefined) {
    job.kept.take(firstFrame, samples)
    return reply({ kind: 'segment', peak: 0, kept: true, samples: samplesOf(bench, request, channels, samples), source })
  }
  const [left, right] = source.channels
  if (left === undefined) throw new Error('a source without a channel')
  bench.renderer.render(
    plan,
    { channels: right === undefined ? [left] : [left, right], startFrame: source.startFrame },
    firstFrame,
    samples,
  )
  const peak = bench.kernel.peak(samples)
  const clips = peak > CEILING
  const kept = (keep === 'always' || (keep === 'where-it-clips' && clips)) && job.kept.keep(firstFrame, samples)
  const wanted = keep === 'where-it-clips' && clips ? { ...request, output: 'none' as const } : request
  return reply({ kind: 'segment', peak, kept, samples: samplesOf(bench, wanted, channels, samples), source })
}

const reply = (answer: SegmentAnswer): Reply<SegmentAnswer> => ({
  answer,
  transfer: [...answer.samples, ...(answer.source?.channels ?? [])].map(({ buffer }) => buffer),
})

function samplesOf(
  { kernel }: Bench,
  { output, gain, firstFrame }: SegmentRequest,
  channels: 1 | 2,
  samples: Float32Array,
): SegmentAnswer['samples'] {
  if (output === 'none') return []
  if (output === 'int16') {
    const result = new Int16Array(samples.length)
    kernel.quantise(samples, gain, channels * firstFrame, result)
    return [result]
  }
  const floats = gain === 1 ? new Float32Array(samples) : Float32Array.from(samples, (sample) => sample * gain)
  if (output === 'float32' || channels === 1) return [floats]
  const [left, right] = [new Float32Array(samples.length / 2), new Float32Array(samples.length / 2)]
  for (let frame = 0; frame < left.length; frame++) {
    left[frame] = floats[2 * frame] as number
    right[frame] = floats[2 * frame + 1] as number
  }
  return [left, right]
}
