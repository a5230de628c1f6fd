import { pageScope } from '../primitives/scope.ts'
import type { DiskWriter } from './disk-writer.ts'
import type { ExportFailure, ExportSuccess } from './engine.ts'
import { type EstimateRequest, estimateExportSize, toExportSettings, toExportTags } from './export-estimate.ts'
import { toExportFailure } from './export-failure.ts'
import { createExportFileName } from './file-name.ts'
import type { DiskFile } from './file-output.ts'
import { exportFloatWav, exportIntegers } from './lossless-export.ts'
import { exportMp3 } from './mp3-export.ts'
import type { RenderPool } from './render-pool.ts'
import type { ScratchFile } from './scratch.ts'
import type { Sound } from './sound.ts'

export interface ExportRequest extends EstimateRequest {
  readonly sound: Sound
  readonly sink: WritableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Receives the progress from 0 to 1, which never decreases. */
  readonly onProgress: (progress: number) => void
  /** Writes the exported file to the disk. Without a disk writer, the exported file is a Blob in memory. */
  readonly diskWriter?: DiskWriter
  /** The maximum size in bytes of a file that becomes a Blob because the disk is full. */
  readonly maxBlobBytes?: number
}

/**
 * The memory in bytes for caching rendered segments between two passes over the sound, enough for most of a song. Rendering may use 60 MB in
 * addition to the decoded file.
 */
const CACHE_MEMORY_BYTES = 54 * 2 ** 20
/**
 * The disk space in bytes for caching rendered segments between two passes over the sound. It is used only if there is a reverb: without one,
 * rendering a segment again is faster than reading it from the disk.
 */
const CACHE_DISK_BYTES = 2 ** 30

/** The maximum size of an exported file that is a Blob instead of a file on the disk, because the browser holds Blobs in memory. */
const MAX_BLOB_BYTES = 200 * 2 ** 20

const EXPORT_FUNCTION_BY_FORMAT = {
  'wav-int16': exportIntegers('wav-int16'),
  'wav-int24': exportIntegers('wav-int24'),
  'wav-float32': exportFloatWav,
  'flac-int16': exportIntegers('flac-int16'),
  'flac-int24': exportIntegers('flac-int24'),
  mp3: exportMp3,
} as const

/** Exports a sound. Never rejects. If `signal` is aborted, the workers are terminated at once. */
export async function runExport(pool: RenderPool, request: ExportRequest, signal: AbortSignal): Promise<ExportSuccess | ExportFailure> {
  const { sound, details, settings, format, output, sink, diskWriter, maxBlobBytes = MAX_BLOB_BYTES } = request
  const { exportProblem, bytes: estimatedBytes } = estimateExportSize({ sound, details, settings, format, output }, undefined)
  if (exportProblem !== undefined) {
    // Aborts the sink if the export cannot start, so that the caller's file does not stay open.
    sink?.abort().catch(() => {})
    return { kind: exportProblem }
  }
  let exportProgress = 0
  const onProgress = (newProgress: number) => {
    exportProgress = Math.max(exportProgress, newProgress)
    request.onProgress(exportProgress)
  }
  const exportJob = { ...request, onProgress }
  try {
    const diskFile = sink === undefined ? diskWriter?.createFile(signal) : undefined
    try {
      return await renderFile(pool, exportJob, diskFile, signal)
    } catch (error) {
      if (toExportFailure(error).kind !== 'no-room' || estimatedBytes > maxBlobBytes || (await diskFile) === undefined) throw error
      return await renderFile(pool, exportJob, undefined, signal)
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
    const coverBytes = await details.cover?.arrayBuffer().then(
      (content) => new Blob([content], { type: details.cover?.type ?? '' }),
      () => undefined,
    )
    const { bytes, file, ...levelReport } = await EXPORT_FUNCTION_BY_FORMAT[format](pool, {
      sound,
      settings: toExportSettings(sound, settings, format),
      tags: toExportTags(details, settings),
      cover: coverBytes,
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
      fileName: createExportFileName(details, settings, format, output),
      bytes,
      file,
      ...levelReport,
    }
  } catch (error) {
    diskFile?.then((incompleteFile) => incompleteFile?.release().dispose()).catch(() => {})
    throw error
  }
}

/**
 * The time in milliseconds for which an exported file is kept: the browser copies the file to the person's downloads, perhaps after asking
 * for a folder.
 */
const EXPORTED_FILE_LIFETIME_MS = 600_000

/**
 * Disposes an exported file after a delay, even if its engine is disposed earlier. Files that remain when the page is closed are removed at
 * a later visit.
 */
export const disposeExportedFileLater = (file: ScratchFile): void =>
  void pageScope.timeout(() => void file.dispose(), EXPORTED_FILE_LIFETIME_MS)
