import { plannedRange, planRender, type RenderPlan, type RenderSettings } from '../../dsp/render-plan.ts'
import { kernelModule } from './kernel-module.ts'
import {
  KEEP_NOTHING,
  type KeepPlace,
  type RenderAnswer,
  type RenderRequest,
  type SegmentAnswer,
  type SegmentRequest,
  type SourcePart,
} from './render-messages.ts'
import type { Sound } from './sound.ts'
import { createWorkerThread } from './worker-thread.ts'

/** A render worker, with the parts of the sound that it needs. */
export interface RenderThread {
  open(sound: Sound, settings: RenderSettings, keepIn?: KeepPlace): Promise<void>
  /** A segment of SEGMENT_FRAMES at most; calls are worked off in order. `fromKept` takes what the worker has kept. */
  render(order: SegmentOrder): Promise<SegmentAnswer>
  close(): Promise<void>
  /** What was asked for rejects with an AbortError. */
  terminate(): void
}

export type SegmentOrder = Omit<SegmentRequest, 'kind' | 'source'> & { readonly fromKept?: boolean }

export function createRenderThread(): RenderThread {
  const thread = createWorkerThread<RenderRequest, RenderAnswer>(
    new Worker(new URL('./workers/render-worker.ts', import.meta.url), { type: 'module' }),
  )
  let job: { readonly sound: Sound; readonly plan: RenderPlan } | undefined
  /** Where the last segment that was rendered ends: what follows upon it needs less of the sound. */
  let renderedTo = -1
  /** Arrays that came back. */
  const free: Float32Array<ArrayBuffer>[] = []
  /** Reading may take its time: segments still reach the worker in the order in which they were asked for. */
  let reading: Promise<unknown> = Promise.resolve()

  /** The part of the sound that a segment needs. Outside the sound there is silence. */
  async function readSource(
    { sound, plan }: NonNullable<typeof job>,
    firstFrame: number,
    frames: number,
    continues: boolean,
  ): Promise<SourcePart> {
    const range = plannedRange(plan, firstFrame, frames, continues)
    const startFrame = Math.min(sound.frames, Math.max(0, range.startFrame))
    const length = Math.max(0, Math.min(sound.frames, range.endFrame) - startFrame)
    const channels = Array.from({ length: sound.channels }, () => fitting(free.pop(), length))
    if (length > 0) await sound.read(startFrame, channels)
    return { channels, startFrame }
  }

  return {
    async open(sound, settings, keepIn = KEEP_NOTHING) {
      const module = await kernelModule()
      const opened = reading.then(() => {
        renderedTo = -1
        job = { sound, plan: planRender(settings) }
        return { answer: thread.ask({ kind: 'open', module, settings, channels: sound.channels, keepIn }) }
      })
      reading = opened.catch(() => {})
      await (await opened).answer
    },
    async render({ fromKept = false, ...order }) {
      const current = job
      if (current === undefined) throw new Error('a segment was asked for before its settings')
      const { firstFrame, frames } = order
      const continues = renderedTo === firstFrame
      if (!fromKept) renderedTo = firstFrame + frames
      const sent = reading.then(async () => {
        const source = fromKept ? undefined : await readSource(current, firstFrame, frames, continues)
        return {
          answer: thread.ask(
            { kind: 'segment', source, ...order },
            source?.channels.map(({ buffer }) => buffer),
          ),
        }
      })
      reading = sent.catch(() => {})
      const answer = await (await sent).answer
      if (answer.kind !== 'segment') throw new Error(`a segment was answered by ${answer.kind}`)
      free.push(...(answer.source?.channels ?? []))
      return answer
    },
    async close() {
      job = undefined
      await thread.ask({ kind: 'close' })
    },
    terminate: thread.terminate,
  }
}

/** An array of `length`, in the memory of an old one where that is large enough. */
const fitting = (old: Float32Array<ArrayBuffer> | undefined, length: number): Float32Array<ArrayBuffer> =>
  old !== undefined && old.buffer.byteLength >= length * 4 ? new Float32Array(old.buffer, 0, length) : new Float32Array(length)
