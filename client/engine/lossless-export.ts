import type { FileTags } from '../../dsp/file-tags.ts'
import { buildFlacFileHead } from '../../dsp/flac-file.ts'
import { computeGainForPeak, toDecibels } from '../../dsp/levels.ts'
import type { Level } from '../../dsp/loudness.ts'
import { encodeWavHeader, encodeWavTrailer, type SampleFormat } from '../../dsp/wav.ts'
import { type ChosenGain, computeProgressAfter } from './chosen-gain.ts'
import { describeWav } from './export-estimate.ts'
import { createFileOutput, type FileOutput, type OutputTarget } from './file-output.ts'
import { buildId3Head } from './id3.ts'
import type { Rendering, RenderJob, RenderPool } from './render-pool.ts'
import type { SegmentOutput, SegmentResponse } from './workers/calls.ts'

export interface FileExportJob extends RenderJob, OutputTarget {
  readonly tags: FileTags
  readonly cover: Blob | undefined
  /** The target loudness; `undefined` leaves the loudness unchanged. */
  readonly targetLufs?: number | undefined
  /** Receives the progress of the export, from 0 to 1. */
  readonly onProgress: (progress: number) => void
  readonly signal: AbortSignal
}

export interface WrittenFile {
  readonly bytes: number
  /** The exported file; `undefined` if its bytes were written to a sink. */
  readonly file: Blob | undefined
  readonly loweredDb: number
  readonly level?: Level
}

/** Returns the gain with which a peak does not clip. */
function computeGainAgainstClipping(peakLevel: number): ChosenGain {
  const gain = computeGainForPeak(peakLevel)
  return { gainOf: () => gain, loweredDb: gain === 1 ? 0 : -toDecibels(gain) }
}

/**
 * Renders all segments into the caches, and chooses the gain.
 * @param progressShare the share of the export's progress for this call, 0 to 1
 */
export async function chooseGain(
  job: RenderJob & Pick<FileExportJob, 'targetLufs' | 'onProgress' | 'signal'>,
  rendering: Rendering,
  progressShare: number,
): Promise<ChosenGain> {
  if (job.targetLufs === undefined) return computeGainAgainstClipping((await measurePeak(job, rendering, progressShare)).peak)
  const { chooseLevel } = await import('./level.ts')
  return chooseLevel(job, rendering, job.targetLufs, progressShare)
}

/** The share of the progress bar for the first of two passes over the sound. */
const FIRST_PASS_PROGRESS_SHARE = 0.7

/** A file format with integer or float samples: how the samples are encoded, and which bytes precede and follow them. */
interface LosslessFileKind {
  readonly mimeType: string
  readonly output: SegmentOutput
  writeHead(output: FileOutput, job: FileExportJob, frames: number): Promise<void>
  writeTail(output: FileOutput, job: FileExportJob, frames: number): Promise<void>
}

const createWavKind = (format: SampleFormat): LosslessFileKind => ({
  mimeType: 'audio/wav',
  output: format,
  writeHead: (output, job, frames) => output.write(encodeWavHeader(describeWav(job, format, frames))),
  async writeTail(fileOutput, job, frameCount) {
    const wavDescription = describeWav(job, format, frameCount)
    const { bytesBeforeTag, bytesAfterTag } = encodeWavTrailer(wavDescription)
    await fileOutput.write(bytesBeforeTag)
    if (wavDescription.id3Bytes > 0) await writeId3(fileOutput, job)
    await fileOutput.write(bytesAfterTag)
  },
})

const createFlacKind = (bitsPerSample: 16 | 24): LosslessFileKind => ({
  mimeType: 'audio/flac',
  output: `flac-int${bitsPerSample}`,
  async writeHead(fileOutput, { sound: { channels }, settings: { sampleRate }, tags, cover }, frameCount) {
    await fileOutput.write(buildFlacFileHead({ sampleRate, channels, bitsPerSample, frames: frameCount }, tags, cover))
    await writeCover(fileOutput, cover)
  },
  async writeTail() {},
})

const FLOAT_WAV = createWavKind('float32')
const INTEGER_FILE_KIND_BY_FORMAT = {
  'wav-int16': createWavKind('int16'),
  'wav-int24': createWavKind('int24'),
  'flac-int16': createFlacKind(16),
  'flac-int24': createFlacKind(24),
} as const

export type IntegerFormat = keyof typeof INTEGER_FILE_KIND_BY_FORMAT

/** Exports 32-bit floats at their own level, because floats do not clip, or at the chosen loudness. */
export const exportFloatWav = (pool: RenderPool, job: FileExportJob): Promise<WrittenFile> =>
  job.targetLufs === undefined
    ? pool.run({ ...job, cache: { memoryBytes: 0, diskBytes: 0 } }, job.signal, (rendering) =>
        writeSamples(job, rendering, FLOAT_WAV, computeGainAgainstClipping(0), 0),
      )
    : pool.run(job, job.signal, async (rendering) =>
        writeSamples(job, rendering, FLOAT_WAV, await chooseGain(job, rendering, FIRST_PASS_PROGRESS_SHARE), FIRST_PASS_PROGRESS_SHARE),
      )

/**
 * Exports integers, of 16 bits with dither, at a lower level if the peak would clip. The peak is only known at the end. If the output is a
 * Blob or a file on the disk, segments are written at full level until one clips; from then on, segments are cached in full precision for a
 * second pass. If the output is a sink, the first pass caches all segments, because a sink cannot drop written bytes. If the sound is
 * brought to a loudness, the pass that measures the loudness caches all segments, too.
 */
export const exportIntegers =
  (format: IntegerFormat) =>
  (pool: RenderPool, job: FileExportJob): Promise<WrittenFile> =>
    pool.run(job, job.signal, async (rendering) => {
      const integerKind = INTEGER_FILE_KIND_BY_FORMAT[format]
      const firstPassOutcome =
        job.sink === undefined && job.targetLufs === undefined
          ? await exportUnlessClipping(job, rendering, integerKind)
          : await chooseGain(job, rendering, FIRST_PASS_PROGRESS_SHARE)
      return 'file' in firstPassOutcome
        ? firstPassOutcome
        : writeSamples(job, rendering, integerKind, firstPassOutcome, FIRST_PASS_PROGRESS_SHARE)
    })

/** Writes the whole file at a level. @param doneShare the share of the export's progress before this call, 0 to 1 */
const writeSamples = (
  job: FileExportJob,
  rendering: Rendering,
  kind: LosslessFileKind,
  { gainOf, ...exportedLevels }: ChosenGain,
  doneShare: number,
): Promise<WrittenFile> =>
  writeExportFile(
    job,
    async (fileOutput) => {
      await kind.writeHead(fileOutput, job, rendering.frames)
      await rendering.renderPass(
        (segment) => ({ output: kind.output, gain: gainOf(segment), cache: 'never' }),
        async (segment, response) => {
          await writeSegment(fileOutput, response)
          job.onProgress(doneShare + (1 - doneShare) * computeProgressAfter(segment, rendering))
        },
      )
      await kind.writeTail(fileOutput, job, rendering.frames)
      return exportedLevels
    },
    kind.mimeType,
  )

/**
 * Renders all segments into the caches and returns the peak of the sound. `progressShare` is the share of the export's progress that this
 * rendering takes, 0 to 1.
 */
async function measurePeak(job: Pick<FileExportJob, 'onProgress'>, rendering: Rendering, progressShare: number): Promise<{ peak: number }> {
  let peakLevel = 0
  await rendering.renderPass(
    () => ({ output: 'none', gain: 1, cache: 'always' }),
    (segment, response) => {
      peakLevel = Math.max(peakLevel, response.peak)
      job.onProgress(progressShare * computeProgressAfter(segment, rendering))
    },
  )
  return { peak: peakLevel }
}

/** Exports at full level. Returns the file, or only the peak if a segment clips. */
async function exportUnlessClipping(job: FileExportJob, rendering: Rendering, kind: LosslessFileKind): Promise<WrittenFile | ChosenGain> {
  const output = createFileOutput(kind.mimeType, job)
  let peakLevel = 0
  let hasClippedSample = false
  await kind.writeHead(output, job, rendering.frames)
  await rendering.renderPass(
    () => (hasClippedSample ? { output: 'none', gain: 1, cache: 'always' } : { output: kind.output, gain: 1, cache: 'if-clipping' }),
    async (segment, response) => {
      peakLevel = Math.max(peakLevel, response.peak)
      if (!hasClippedSample && computeGainForPeak(peakLevel) < 1) {
        hasClippedSample = true
        output.abort(undefined)
      }
      if (!hasClippedSample) await writeSegment(output, response)
      job.onProgress((hasClippedSample ? FIRST_PASS_PROGRESS_SHARE : 1) * computeProgressAfter(segment, rendering))
    },
  )
  if (hasClippedSample) return computeGainAgainstClipping(peakLevel)
  await kind.writeTail(output, job, rendering.frames)
  return { ...(await output.finish()), loweredDb: 0 }
}

/**
 * Creates the output, calls `writeContent`, which returns the known data about the level, and finishes the output. If the job is cancelled
 * or fails, the output is aborted.
 */
export async function writeExportFile(
  job: FileExportJob,
  writeContent: (output: FileOutput) => Promise<Omit<WrittenFile, 'bytes' | 'file'>>,
  mimeType: string,
): Promise<WrittenFile> {
  const output = createFileOutput(mimeType, job)
  const onAbort = () => output.abort(job.signal.reason)
  job.signal.addEventListener('abort', onAbort)
  try {
    const level = await writeContent(output)
    return { ...(await output.finish()), ...level }
  } catch (error) {
    output.abort(error)
    throw error
  } finally {
    job.signal.removeEventListener('abort', onAbort)
  }
}

/** Writes an ID3 tag; nothing if there is no tag. */
export async function writeId3(output: FileOutput, { tags, cover }: FileExportJob): Promise<void> {
  await output.write(buildId3Head(tags, cover))
  await writeCover(output, cover)
}

async function writeCover(output: FileOutput, cover: Blob | undefined): Promise<void> {
  if (cover !== undefined) await output.write(new Uint8Array(await cover.arrayBuffer()))
}

async function writeSegment(output: FileOutput, { samples }: SegmentResponse): Promise<void> {
  for (const { buffer, byteOffset, byteLength } of samples) await output.write(new Uint8Array(buffer, byteOffset, byteLength))
}
