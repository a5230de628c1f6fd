import type { ExportFailure, ExportSuccess, ExportTask, LoadedSound, VideoDesign, VideoFormat, VideoOptions } from './engine.ts'
import { keepExportedFile, toExportFailure } from './export.ts'
import type { ExportContext } from './export-runner.ts'
import { videoFileName } from './file-name.ts'
import { createScratchFile } from './scratch.ts'
import type { Sound } from './sound.ts'
import { VIDEO_MIME_TYPES } from './video/video-design.ts'
import type { VideoDestination } from './workers/calls.ts'

export interface VideoRequest extends ExportContext, VideoOptions {
  readonly sound: Sound
  readonly details: LoadedSound
  readonly design: VideoDesign
  readonly format: VideoFormat
}

/**
 * Loads the code that makes videos, and makes a video: in the file of `handle`; without `handle` in a scratch file; and in memory if the
 * browser has no private file system.
 */
export function startVideoExport(request: VideoRequest): ExportTask {
  const controller = new AbortController()
  return { result: runVideoExport(request, controller.signal), cancel: () => controller.abort() }
}

async function runVideoExport(request: VideoRequest, signal: AbortSignal): Promise<ExportSuccess | ExportFailure> {
  const { details, settings, output, format, handle } = request
  const scratch = handle === undefined ? await createScratchFile() : undefined
  try {
    await request.previousExport
    const { exportVideo } = await import('./video/video-export.ts')
    signal.throwIfAborted()
    const destination: VideoDestination =
      handle !== undefined
        ? { kind: 'handle', handle }
        : scratch !== undefined
          ? { kind: 'scratch', scratchName: scratch.name }
          : { kind: 'memory' }
    const { title, artist, album, year, cover } = details
    const job = { ...request, tags: { title, artist, album, year, cover }, destination }
    const { bytes, file, ...level } = await exportVideo(request.pool, job, signal)
    const written = scratch === undefined ? file : (await scratch.handle.getFile()).slice(0, bytes, VIDEO_MIME_TYPES[format.container])
    if (scratch !== undefined) keepExportedFile(scratch)
    return { kind: 'exported', fileName: videoFileName(details, settings, format.container, output), bytes, file: written, ...level }
  } catch (error) {
    void scratch?.dispose()
    return signal.aborted ? { kind: 'cancelled' } : toExportFailure(error)
  }
}
