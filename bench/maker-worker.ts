import { parentPort, workerData } from 'node:worker_threads'
import { createRenderer, type Renderer, type RenderSettings } from '../dsp/renderer.ts'
import { SEGMENT_FRAMES } from '../dsp/segments.ts'
import { createWasmKernel } from '../dsp/wasm/kernel.ts'

/** A segment to render: the part of the source that it needs, and the array for its samples. */
export interface Work {
  readonly index: number
  readonly settings: RenderSettings
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
let renderer: { of: string; is: Renderer } | undefined

parentPort?.on('message', ({ index, settings, channels, startFrame, firstFrame, frames, gain }: Work) => {
  const key = JSON.stringify(settings)
  if (renderer?.of !== key) renderer = { of: key, is: createRenderer(kernel, settings) }
  const output = buffer.subarray(0, 2 * frames)
  renderer.is.render({ channels, startFrame }, firstFrame, output)
  const samples = new Int16Array(2 * frames)
  kernel.quantise(output, gain, 2 * firstFrame, samples)
  const done: Done = { index, peak: kernel.peak(output), samples, channels }
  parentPort?.postMessage(done, [samples.buffer, channels[0].buffer, channels[1].buffer])
})
