import type { FileTags } from '../../dsp/file-tags.ts'
import { plannedOutputFrames, planRender, type RenderSettings } from '../../dsp/render-plan.ts'
import { fitsWavLimit, type SampleFormat, wavSizeBytes } from '../../dsp/wav.ts'
import { pageScope } from '../primitives/scope.ts'
import type { DiskWriter } from './disk-writer.ts'
import type {
  ExportEstimate,
  ExportFailure,
  ExportFormat,
  ExportOptions,
  ExportSuccess,
  ExportTask,
  LoadedSound,
  MakerSettings,
  OutputOptions,
} from './engine.ts'
import { exportFileName, isFlac } from './file-name.ts'
import type { DiskFile } from './file-output.ts'
import { exportFloatWav, exportIntegers, wavDescription } from './lossless-export.ts'
import { exportMp3, mp3SampleRate } from './mp3-export.ts'
import { MP3_KBPS } from './mp3-info.ts'
import { isOutOfSpaceError } from './out-of-space-error.ts'
import type { RenderPool } from './render-pool.ts'
import { toPlaybackRate, toRenderSettings } from './render-settings.ts'
import type { ScratchFile } from './scratch.ts'
import type { Sound } from './sound.ts'

export interface ExportRequest {
  readonly sound: Sound
  readonly details: Pick<LoadedSound, 'name' | 'title' | 'artist' | 'album' | 'year' | 'cover' | 'bpm'>
  readonly settings: MakerSettings
  readonly format: ExportFormat
  /** The output options. By default, the file has the usual name and the level is unchanged. */
  readonly output?: (Pick<OutputOptions, 'namePattern' | 'targetLufs'> & Pick<ExportOptions, 'isLoop'>) | undefined
  readonly sink: WritableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Receives the progress from 0 to 1, which never decreases. */
  readonly onProgress: (progress: number) => void
  /** Writes the exported file to the disk. Without a disk writer, the exported file is a Blob in memory. */
  readonly diskWriter?: DiskWriter
  /** The maximum size in bytes of a file that becomes a Blob because the disk is full. */
  readonly maxBlobBytes?: number
}

export interface EstimateRequest extends Pick<ExportRequest, 'details' | 'settings' | 'format' | 'output'> {
  readonly sound: Pick<Sound, 'sampleRate' | 'channels' | 'frames'>
}

/**
 * The memory in bytes for caching rendered segments between two passes, enough for most of a song. Rendering may use 60 MB of memory in
 * addition to the decoded file.
 */
const CACHE_MEMORY_BYTES = 54 * 2 ** 20
/**
 * The disk space in bytes for caching rendered segments between two passes. It is used only if there is a reverb: without a reverb,
 * rendering a segment again is faster than reading it from the disk.
 */
const CACHE_DISK_BYTES = 2 ** 30

/** The browser holds Blobs in memory. */
const MAX_BLOB_BYTES = 200 * 2 ** 20

const EXPORT_FUNCTIONS = {
  'wav-int16': exportIntegers('wav-int16'),
  'wav-int24': exportIntegers('wav-int24'),
  'wav-float32': exportFloatWav,
  'flac-int16': exportIntegers('flac-int16'),
  'flac-int24': exportIntegers('flac-int24'),
  mp3: exportMp3,
} as const

/** For each lossless format, the sample format of a WAV file of at least the same size, from which the size of the export is estimated. */
const SAMPLE_FORMATS = {
  'wav-int16': 'int16',
  'wav-int24': 'int24',
  'wav-float32': 'float32',
  'flac-int16': 'int16',
  'flac-int24': 'int24',
} as const satisfies Record<Exclude<ExportFormat, 'mp3'>, SampleFormat>

export function startExport(pool: RenderPool, request: ExportRequest): ExportTask {
  const controller = new AbortController()
  return { result: runExport(pool, request, controller.signal), cancel: () => controller.abort() }
}

async function runExport(pool: RenderPool, request: ExportRequest, signal: AbortSignal): Promise<ExportSuccess | ExportFailure> {
  const { sound, details, settings, format, output, sink, diskWriter, maxBlobBytes = MAX_BLOB_BYTES } = request
  const { exportProblem: problem, bytes: estimatedBytes } = estimateExportSize({ sound, details, settings, format, output }, undefined)
  if (problem !== undefined) {
    // Aborts the sink if the export cannot start, so that the caller's file does not stay open.
    sink?.abort().catch(() => {})
    return { kind: problem }
  }
  let progress = 0
  const onProgress = (newProgress: number) => {
    progress = Math.max(progress, newProgress)
    request.onProgress(progress)
  }
  const job = { ...request, onProgress }
  try {
    const diskFile = sink === undefined ? diskWriter?.createFile(signal) : undefined
    try {
      return await renderFile(pool, job, diskFile, signal)
    } catch (error) {
      if (toExportFailure(error).kind !== 'no-room' || estimatedBytes > maxBlobBytes || (await diskFile) === undefined) throw error
      return await renderFile(pool, job, undefined, signal)
    }
  } catch (error) {
    sink?.abort(error).catch(() => {})
    return signal.aborted ? { kind: 'cancelled' } : toExportFailure(error)
  }
}

/** Renders the exported file to the sink; without a sink to `diskFile`, and without `diskFile` to a Blob. */
async function renderFile(
  pool: RenderPool,
  { sound, details, settings, format, output, sink, onProgress }: ExportRequest,
  diskFile: Promise<DiskFile | undefined> | undefined,
  signal: AbortSignal,
): Promise<ExportSuccess> {
  try {
    // The export has no cover if the song's file cannot be read any more.
    const cover = await details.cover?.arrayBuffer().then(
      (content) => new Blob([content], { type: details.cover?.type ?? '' }),
      () => undefined,
    )
    const { bytes, file, ...level } = await EXPORT_FUNCTIONS[format](pool, {
      sound,
      settings: settingsFor(sound, settings, format),
      tags: tagsOf(details, settings),
      cover,
      targetLufs: output?.targetLufs,
      cache: { memoryBytes: CACHE_MEMORY_BYTES, diskBytes: settings.reverbAmount > 0 ? CACHE_DISK_BYTES : 0 },
      sink,
      diskFile,
      onProgress,
      signal,
    })
    const writtenFile = await diskFile
    if (writtenFile !== undefined) disposeExportedFileLater(writtenFile.release())
    return {
      kind: 'exported',
      fileName: exportFileName(details, settings, format, output),
      bytes,
      file,
      ...level,
    }
  } catch (error) {
    diskFile?.then((incompleteFile) => incompleteFile?.release().dispose()).catch(() => {})
    throw error
  }
}

/** Estimates the size of an export and whether it would fail. @param freeBytes storage that the browser grants; undefined if unknown */
export function estimateExportSize(
  { sound, details, settings, format, output }: EstimateRequest,
  freeBytes: number | undefined,
): ExportEstimate {
  const forFile = settingsFor(sound, settings, format)
  const { sampleRate } = forFile
  const frames = plannedOutputFrames(planRender(forFile), sound.frames)
  const lengthS = frames / sampleRate
  const job = { sound, settings: forFile, tags: tagsOf(details, settings), cover: details.cover }
  const wav = wavDescription(job, format === 'mp3' ? 'int16' : SAMPLE_FORMATS[format], frames)
  const bytes = format === 'mp3' ? Math.ceil((lengthS * MP3_KBPS * 1000) / 8) : wavSizeBytes(wav)
  return { fileName: exportFileName(details, settings, format, output), bytes, lengthS, exportProblem: problemOf() }

  function problemOf(): ExportEstimate['exportProblem'] {
    if (frames === 0) return 'no-length'
    if (format !== 'mp3' && !isFlac(format) && !fitsWavLimit(wav)) return 'too-large'
    return freeBytes !== undefined && bytes > freeBytes ? 'no-room' : undefined
  }
}

const settingsFor = ({ sampleRate }: Pick<Sound, 'sampleRate'>, settings: MakerSettings, format: ExportFormat): RenderSettings =>
  toRenderSettings(settings, sampleRate, format === 'mp3' ? mp3SampleRate(sampleRate) : sampleRate)

/** Returns the tags of the exported file. The tempo in the tags is the tempo after the change of speed. */
function tagsOf({ title, artist, album, year, bpm }: ExportRequest['details'], settings: MakerSettings): FileTags {
  return {
    ...(title !== undefined && { title }),
    ...(artist !== undefined && { artist }),
    ...(album !== undefined && { album }),
    ...(year !== undefined && { year }),
    ...(bpm !== undefined && { bpm: Math.round(bpm * toPlaybackRate(settings) * 100) / 100 }),
  }
}

export function toExportFailure(error: unknown): ExportFailure {
  if (isOutOfSpaceError(error)) return { kind: 'no-room' }
  return { kind: 'failed', reason: error instanceof Error || error instanceof DOMException ? error.message : String(error) }
}

/**
 * The time in milliseconds for which an exported file is kept: the browser copies the file to the person's downloads, perhaps after asking
 * for a folder.
 */
const KEEP_MS = 600_000

/**
 * Disposes an exported file after a delay, even if its engine is disposed earlier. Files that remain when the page is closed are removed at
 * a later visit.
 */
export const disposeExportedFileLater = (file: ScratchFile): void => void pageScope.timeout(() => void file.dispose(), KEEP_MS)
