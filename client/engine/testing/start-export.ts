import type { ExportFailure, ExportSuccess, ExportTask } from '../engine.ts'
import { type ExportRequest, runExport } from '../export.ts'
import type { RenderPool } from '../render-pool.ts'
import { runVideoExport, type VideoRequest } from '../video-task.ts'

function startTask(runExport: (signal: AbortSignal) => Promise<ExportSuccess | ExportFailure>): ExportTask {
  const controller = new AbortController()
  return { result: runExport(controller.signal), cancel: () => controller.abort() }
}

/** Starts an export without the queue of exports. */
export const startExport = (pool: RenderPool, request: ExportRequest): ExportTask => startTask((signal) => runExport(pool, request, signal))

export const startVideoExport = (request: VideoRequest): ExportTask => startTask((signal) => runVideoExport(request, signal))
