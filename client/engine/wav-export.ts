import { gainForPeak } from '../../dsp/levels.ts'
import { type SampleFormat, type WavTags, wavHeader } from '../../dsp/wav.ts'
import { createFileOutput, type FileOutput, type OutputTarget } from './file-output.ts'
import type { Rendering, RenderJob, RenderPool } from './render-pool.ts'
import type { OutputSegment } from './segment-assignment.ts'
import type { SegmentResponse } from './workers/calls.ts'

export interface FileExportJob extends RenderJob, OutputTarget {
  readonly tags: WavTags
  /** Receives the progress of the export, from 0 to 1. */
  readonly onProgress: (progress: number) => void
  readonly signal: AbortSignal
}

export interface WrittenFile {
  readonly bytes: number
  /** The exported file; `undefined` if its bytes were written to a sink. */
  readonly file: Blob | undefined
  /** The factor that is applied to every sample so that none clips. */
  readonly gain: number
}

/** The share of the progress bar that the first of two passes takes. */
const FIRST_PASS_SHARE = 0.7

/** Exports 32-bit floats at their own level: floats do not clip. */
export const exportFloatWav = (pool: RenderPool, job: FileExportJob): Promise<WrittenFile> =>
  pool.run({ ...job, cache: { memoryBytes: 0, diskBytes: 0 } }, job.signal, (rendering) =>
    writeExportFile(job, async (output) => {
      await output.write(wavHeaderOf(job, rendering, 'float32'))
      await rendering.renderPass(
        () => ({ output: 'float32', gain: 1, cache: 'never' }),
        async (segment, response) => {
          await writeSamples(output, response)
          job.onProgress(progressAfterSegment(segment, rendering))
        },
      )
      return 1
    }),
  )

/**
 * Exports 16-bit samples with dither, at a lower level if the peak would clip. The peak is only known at the end. If the output is a Blob
 * or a file on the disk, segments are written at full level until one clips; from then on, segments are cached in full precision for a
 * second pass. If the output is a sink, the first pass caches all segments, because a sink cannot drop written bytes.
 */
export const exportIntWav = (pool: RenderPool, job: FileExportJob): Promise<WrittenFile> =>
  pool.run(job, job.signal, async (rendering) => {
    const firstPass =
      job.sink === undefined ? await exportUnlessClipping(job, rendering) : await measurePeak(job, rendering, FIRST_PASS_SHARE)
    if ('file' in firstPass) return firstPass
    const gain = gainForPeak(firstPass.peak)
    return writeExportFile(job, async (output) => {
      await output.write(wavHeaderOf(job, rendering, 'int16'))
      await rendering.renderPass(
        () => ({ output: 'int16', gain, cache: 'never' }),
        async (segment, response) => {
          await writeSamples(output, response)
          job.onProgress(FIRST_PASS_SHARE + (1 - FIRST_PASS_SHARE) * progressAfterSegment(segment, rendering))
        },
      )
      return gain
    })
  })

/** Renders all segments into the caches and returns the peak of the sound. `progressShare` is the share of the pass in the progress, 0 to 1. */
export async function measurePeak(
  job: Pick<FileExportJob, 'onProgress'>,
  rendering: Rendering,
  progressShare: number,
): Promise<{ peak: number }> {
  let peak = 0
  await rendering.renderPass(
    () => ({ output: 'none', gain: 1, cache: 'always' }),
    (segment, response) => {
      peak = Math.max(peak, response.peak)
      job.onProgress(progressShare * progressAfterSegment(segment, rendering))
    },
  )
  return { peak }
}

/** Returns the file at full level, or the peak if a segment clips. */
async function exportUnlessClipping(job: FileExportJob, rendering: Rendering): Promise<WrittenFile | { peak: number }> {
  const output = createFileOutput('audio/wav', job)
  let peak = 0
  let hasClipped = false
  await output.write(wavHeaderOf(job, rendering, 'int16'))
  await rendering.renderPass(
    () => (hasClipped ? { output: 'none', gain: 1, cache: 'always' } : { output: 'int16', gain: 1, cache: 'if-clipping' }),
    async (segment, response) => {
      peak = Math.max(peak, response.peak)
      if (!hasClipped && gainForPeak(peak) < 1) {
        hasClipped = true
        output.abort(undefined)
      }
      if (!hasClipped) await writeSamples(output, response)
      job.onProgress((hasClipped ? FIRST_PASS_SHARE : 1) * progressAfterSegment(segment, rendering))
    },
  )
  return hasClipped ? { peak } : { ...(await output.finish()), gain: 1 }
}

/**
 * Creates the output, calls `writeContent`, which returns the gain, and finishes the output. If the job is cancelled or fails, the output
 * is aborted.
 */
export async function writeExportFile(
  job: FileExportJob,
  writeContent: (output: FileOutput) => Promise<number>,
  mimeType = 'audio/wav',
): Promise<WrittenFile> {
  const output = createFileOutput(mimeType, job)
  const onAbort = () => output.abort(job.signal.reason)
  job.signal.addEventListener('abort', onAbort)
  try {
    const gain = await writeContent(output)
    return { ...(await output.finish()), gain }
  } catch (error) {
    output.abort(error)
    throw error
  } finally {
    job.signal.removeEventListener('abort', onAbort)
  }
}

const wavHeaderOf = ({ sound: { channels }, settings: { sampleRate }, tags }: FileExportJob, { frames }: Rendering, format: SampleFormat) =>
  wavHeader({ format, channels, sampleRate, frames, tags })

async function writeSamples(output: FileOutput, { samples }: SegmentResponse): Promise<void> {
  for (const { buffer, byteOffset, byteLength } of samples) await output.write(new Uint8Array(buffer, byteOffset, byteLength))
}

/** Returns the share of the output, 0 to 1, that is rendered up to the end of `segment`. */
export const progressAfterSegment = ({ firstFrame, frames }: OutputSegment, rendering: Rendering): number =>
  (firstFrame + frames) / rendering.frames
