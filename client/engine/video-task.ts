import type { ExportFailure, ExportSuccess, LoadedSound, VideoOptions } from './engine.ts'
import { disposeExportedFileLater } from './export.ts'
import { toExportFailure } from './export-failure.ts'
import type { ExportContext } from './export-runner.ts'
import { createVideoFileName } from './file-name.ts'
import type { RenderPool } from './render-pool.ts'
import { createScratchFile, type ScratchFile } from './scratch.ts'
import { VIDEO_MIME_TYPES } from './video/video-design.ts'
import { exportVideo, type RenderedVideo, type VideoJob } from './video/video-export.ts'

export type VideoTaskJob = Omit<VideoJob, 'destination'>

export interface VideoRequest extends ExportContext, VideoOptions, Pick<VideoJob, 'sound' | 'design' | 'format' | 'preparedSound'> {
  readonly details: LoadedSound
}

/**
 * Renders a video into the file of `handle`, or, without `handle`, in the way of `renderVideoFile`. Disposes the prepared sound if the
 * video is cancelled or fails. Never rejects.
 */
export async function runVideoExport(request: VideoRequest, signal: AbortSignal): Promise<ExportSuccess | ExportFailure> {
  const { pool, details, settings, output, format, handle, preparedSound } = request
  const endPreparedSound = () => preparedSound?.dispose()
  signal.addEventListener('abort', endPreparedSound, { once: true })
  try {
    signal.throwIfAborted()
    const { scratch, ...writtenVideo } =
      handle === undefined ? await renderVideoFile(pool, request, signal) : await renderToHandle(pool, request, handle, signal)
    if (scratch !== undefined) disposeExportedFileLater(scratch)
    return { kind: 'exported', fileName: createVideoFileName(details, settings, format.container, output), ...writtenVideo }
  } catch (error) {
    endPreparedSound()
    return signal.aborted ? { kind: 'cancelled' } : toExportFailure(error)
  }
}

async function renderToHandle(pool: RenderPool, job: VideoTaskJob, handle: FileSystemFileHandle, signal: AbortSignal) {
  const video = await exportVideo(pool, { ...job, destination: { kind: 'handle', handle } }, signal)
  return { ...video, scratch: undefined }
}

/** A video, and the scratch file that holds it; `undefined` if the video is in memory. The caller must dispose the scratch file. */
export interface RenderedVideoFile extends RenderedVideo {
  readonly file: Blob
  readonly scratch: ScratchFile | undefined
}

/** Renders a video into a scratch file, or into memory if the browser has no private file system. */
export async function renderVideoFile(pool: RenderPool, job: VideoTaskJob, signal: AbortSignal): Promise<RenderedVideoFile> {
  const scratchFile = await createScratchFile()
  try {
    const destination =
      scratchFile === undefined ? ({ kind: 'memory' } as const) : ({ kind: 'scratch', scratchName: scratchFile.name } as const)
    const video = await exportVideo(pool, { ...job, destination }, signal)
    const file = scratchFile === undefined ? video.file : await scratchFile.handle.getFile()
    if (file === undefined) throw new Error('the video was not written')
    return { ...video, file: file.slice(0, video.bytes, VIDEO_MIME_TYPES[job.format.container]), scratch: scratchFile }
  } catch (error) {
    void scratchFile?.dispose()
    throw error
  }
}
