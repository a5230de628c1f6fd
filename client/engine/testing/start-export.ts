import type { ExportFailure, ExportSuccess, ExportTask } from '../engine.ts'
import { type ExportRequest, runExport } from '../export.ts'
import type { RenderPool } from '../render-pool.ts'
import { runVideoExport, type VideoRequest } from '../video-task.ts'

function start(run: (signal: AbortSignal) => Promise<ExportSuccess | ExportFailure>): ExportTask {
  const controller = new AbortController()
  return { result: run(controller.signal), cancel: () => controller.abort() }
}

/** Starts an export without the queue of exports. */
export const startExport = (pool: RenderPool, request: ExportRequest): ExportTask => start((signal) => runExport(pool, request, signal))

export const startVideoExport = (request: VideoRequest): ExportTask => start((signal) => runVideoExport(request, signal))
