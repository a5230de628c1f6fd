import { gainFor } from '../../dsp/levels.ts'
import { type SampleFormat, type WavTags, wavHeader } from '../../dsp/wav.ts'
import { createFileOutput, type FileOutput } from './file-output.ts'
import type { SegmentAnswer } from './render-messages.ts'
import type { Rendering, RenderJob, RenderPool } from './render-pool.ts'
import type { OutputSegment } from './segment-runs.ts'

export interface FileJob extends RenderJob {
  readonly tags: WavTags
  readonly sink: WritableStream<Uint8Array<ArrayBuffer>> | undefined
  /** 0 to 1, never less than before. */
  readonly onProgress: (progress: number) => void
  readonly signal: AbortSignal
}

export interface WrittenFile {
  readonly bytes: number
  /** Undefined where a sink took it. */
  readonly file: Blob | undefined
  /** What every sample was multiplied by so that none clips. */
  readonly gain: number
}

/** What the first of two passes takes of the time. */
const FIRST_PASS = 0.7

/** 32-bit floats: nothing clips in them, so their level stays. */
export const exportFloatWav = (pool: RenderPool, job: FileJob): Promise<WrittenFile> =>
  pool.run({ ...job, keep: { memoryBytes: 0, diskBytes: 0 } }, job.signal, (rendering) =>
    intoFile(job, async (output) => {
      await output.write(header(job, rendering, 'float32'))
      await rendering.pass(
        () => ({ output: 'float32', gain: 1, keep: 'never' }),
        async (segment, answer) => {
          await writeAll(output, answer)
          job.onProgress(doneOf(segment, rendering))
        },
      )
      return 1
    }),
  )

/**
 * 16-bit samples with dither, lowered where the loudest would clip. That is known at the end only: until a segment clips they are made as if none
 * would, and from then on segments are kept in full precision, so that little is rendered twice. A sink cannot take back what it took: for
 * one, all are kept.
 */
export const exportIntWav = (pool: RenderPool, job: FileJob): Promise<WrittenFile> =>
  pool.run(job, job.signal, async (rendering) => {
    const quiet = job.sink === undefined ? await exportQuiet(job, rendering) : await measure(job, rendering, FIRST_PASS)
    if ('file' in quiet) return quiet
    const gain = gainFor(quiet.peak)
    return intoFile(job, async (output) => {
      await output.write(header(job, rendering, 'int16'))
      await rendering.pass(
        () => ({ output: 'int16', gain, keep: 'never' }),
        async (segment, answer) => {
          await writeAll(output, answer)
          job.onProgress(FIRST_PASS + (1 - FIRST_PASS) * doneOf(segment, rendering))
        },
      )
      return gain
    })
  })

/** The peak of the whole; segments are kept. It takes `share` of the time. */
export async function measure(job: FileJob, rendering: Rendering, share: number): Promise<{ peak: number }> {
  let peak = 0
  await rendering.pass(
    () => ({ output: 'none', gain: 1, keep: 'always' }),
    (segment, answer) => {
      peak = Math.max(peak, answer.peak)
      job.onProgress(share * doneOf(segment, rendering))
    },
  )
  return { peak }
}

/** The file, or the peak where something would clip. */
async function exportQuiet(job: FileJob, rendering: Rendering): Promise<WrittenFile | { peak: number }> {
  const output = createFileOutput('audio/wav', undefined)
  let peak = 0
  let clipped = false
  let progress = 0
  await output.write(header(job, rendering, 'int16'))
  await rendering.pass(
    () => (clipped ? { output: 'none', gain: 1, keep: 'always' } : { output: 'int16', gain: 1, keep: 'where-it-clips' }),
    async (segment, answer) => {
      peak = Math.max(peak, answer.peak)
      if (!clipped && gainFor(peak) < 1) {
        clipped = true
        output.abort(undefined)
      }
      if (!clipped) await writeAll(output, answer)
      progress = Math.max(progress, (clipped ? FIRST_PASS : 1) * doneOf(segment, rendering))
      job.onProgress(progress)
    },
  )
  return clipped ? { peak } : { ...(await output.finish()), gain: 1 }
}

/** A file that `write` writes; it returns the gain. */
export async function intoFile(job: FileJob, write: (output: FileOutput) => Promise<number>, type = 'audio/wav'): Promise<WrittenFile> {
  const output = createFileOutput(type, job.sink)
  job.signal.addEventListener('abort', () => output.abort(job.signal.reason))
  try {
    const gain = await write(output)
    return { ...(await output.finish()), gain }
  } catch (error) {
    output.abort(error)
    throw error
  }
}

const header = ({ sound: { channels }, settings: { sampleRate }, tags }: FileJob, { frames }: Rendering, format: SampleFormat) =>
  wavHeader({ format, channels, sampleRate, frames, tags })

async function writeAll(output: FileOutput, { samples }: SegmentAnswer): Promise<void> {
  for (const { buffer, byteOffset, byteLength } of samples) await output.write(new Uint8Array(buffer, byteOffset, byteLength))
}

export const doneOf = ({ firstFrame, frames }: OutputSegment, rendering: Rendering): number => (firstFrame + frames) / rendering.frames
