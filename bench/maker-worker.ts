import { parentPort, workerData } from 'node:worker_threads'
import { planRender, type RenderPlan, type RenderSettings } from '../dsp/render-plan.ts'
import { createRenderer } from '../dsp/renderer.ts'
import { SEGMENT_FRAMES } from '../dsp/segments.ts'
import { createWasmKernel } from '../dsp/wasm/kernel.ts'

/** A segment to render: the part of the source that it needs, and the array for its samples. */
export interface Work {
  readonly index: number
  readonly channels: readonly [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>]
  readonly startFrame: number
  readonly firstFrame: number
  readonly frames: number
  readonly gain: number
}

export interface Done {
  readonly index: number
  readonly peak: number
  readonly samples: Int16Array<ArrayBuffer>
  /** Given back, to be used again. */
  readonly channels: Work['channels']
}

const kernel = createWasmKernel(workerData)
const buffer = kernel.allocate(2 * SEGMENT_FRAMES)
const renderer = createRenderer(kernel)
let plan: RenderPlan | undefined

parentPort?.on('message', (order: RenderSettings | Work) => {
  if (!('channels' in order)) {
    plan = planRender(order)
    return
  }
  if (plan === undefined) throw new Error('a segment came before its settings')
  const { index, channels, startFrame, firstFrame, frames, gain } = order
  const output = buffer.subarray(0, 2 * frames)
  renderer.render(plan, { channels, startFrame }, firstFrame, output)
  const samples = new Int16Array(2 * frames)
  kernel.quantise(output, gain, 2 * firstFrame, samples)
  const done: Done = { index, peak: kernel.peak(output), samples, channels }
  parentPort?.postMessage(done, [samples.buffer, channels[0].buffer, channels[1].buffer])
})
