import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { gainFor } from '../dsp/levels.ts'
import { plannedFrames, plannedRange, planRender, type RenderPlan, type RenderSettings } from '../dsp/render-plan.ts'
import { createSegmentQueue } from '../dsp/segments.ts'
import { wavHeader } from '../dsp/wav.ts'
import type { Done, Work } from './maker-worker.ts'

// An export as the page does it, with Node's worker threads in place of the page's: no memory is shared, segments of the source are copied into
// arrays that go to and fro, two under way in each worker.
const IN_FLIGHT = 2

export interface Workers {
  /** A WAV file of 16 bits, in parts, and the gain that kept it from clipping. */
  exportWav(channels: Work['channels'], settings: RenderSettings): Promise<{ parts: Uint8Array[]; gain: number }>
  stop(): Promise<void>
}

export async function startWorkers(count: number, kernel: WebAssembly.Module): Promise<Workers> {
  const program = await bundle(fileURLToPath(new URL('./maker-worker.ts', import.meta.url)))
  const workers = Array.from({ length: count }, () => new Worker(program, { eval: true, workerData: kernel }))
  await Promise.all(workers.map((worker) => once(worker, 'online')))

  async function render(channels: Work['channels'], plan: RenderPlan, gain: number) {
    const queue = createSegmentQueue(plannedFrames(plan, channels[0].length), workers.length)
    const parts: Uint8Array[] = new Array(queue.length)
    const free: Work['channels'][] = []
    let peak = 0
    const work = async (worker: Worker, index: number) => {
      for (let segment = queue.take(index); segment !== undefined; segment = queue.take(index)) {
        const range = plannedRange(plan, segment.firstFrame, segment.frames, segment.continues)
        const startFrame = Math.max(0, range.startFrame)
        const endFrame = Math.max(startFrame, Math.min(channels[0].length, range.endFrame))
        const arrays = fitting(free.pop(), endFrame - startFrame)
        arrays.forEach((array, channel) => {
          array.set(channels[channel as 0 | 1].subarray(startFrame, endFrame))
        })
        const order: Work = { ...segment, channels: arrays, startFrame, gain }
        worker.postMessage(order, [arrays[0].buffer, arrays[1].buffer])
        const done = await answer(worker, segment.index)
        free.push(done.channels)
        parts[segment.index] = new Uint8Array(done.samples.buffer)
        peak = Math.max(peak, done.peak)
      }
    }
    await Promise.all(workers.flatMap((worker, index) => Array.from({ length: IN_FLIGHT }, () => work(worker, index))))
    return { parts, peak }
  }

  return {
    async exportWav(channels, settings) {
      const plan = planRender(settings)
      for (const worker of workers) worker.postMessage(settings)
      const first = await render(channels, plan, 1)
      const gain = gainFor(first.peak)
      const { parts } = gain === 1 ? first : await render(channels, plan, gain)
      const frames = plannedFrames(plan, channels[0].length)
      return { parts: [wavHeader({ format: 'int16', channels: 2, sampleRate: settings.sampleRate, frames }), ...parts], gain }
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

/** Arrays of `length`, in the memory of old ones where they are large enough. */
function fitting(old: Work['channels'] | undefined, length: number): Work['channels'] {
  const array = (index: 0 | 1) => {
    const buffer = old?.[index].buffer
    return buffer !== undefined && buffer.byteLength >= length * 4 ? new Float32Array(buffer, 0, length) : new Float32Array(length)
  }
  return [array(0), array(1)]
}

function answer(worker: Worker, index: number): Promise<Done> {
  return new Promise((resolve, reject) => {
    const onMessage = (done: Done) => {
      if (done.index !== index) return
      worker.off('message', onMessage)
      worker.off('error', reject)
      resolve(done)
    }
    worker.on('message', onMessage)
    worker.once('error', reject)
  })
}

/** Node's worker threads do not read TypeScript everywhere. */
async function bundle(path: string): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, platform: 'node', format: 'cjs', write: false })
  return outputFiles[0]?.text ?? ''
}
