import { createDiskWriter } from './disk-writer.ts'
import type { ExportFormat, ExportOptions, ExportTask, LoadedSound } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { startExport } from './export.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import type { Sound } from './sound.ts'

export interface ExportRunnerDeps {
  readonly model: EngineModel
  readonly workerCount: number | undefined
  readonly onStart: () => void
  /** Called when an export has ended and no other one has begun. */
  readonly onEnd: () => void
}

/** Runs one export at a time: a new one cancels the running one. */
export function createExportRunner({ model, workerCount, onStart, onEnd }: ExportRunnerDeps) {
  const diskWriter = createDiskWriter()
  let pool: RenderPool | undefined
  let task: ExportTask | undefined

  function endTask(endedTask: ExportTask) {
    if (task !== endedTask) return
    task = undefined
    model.setState({ runningExport: undefined })
    model.setProgress({ export: undefined })
    onEnd()
  }

  return {
    get isRunning() {
      return task !== undefined
    },
    start(sound: Sound, details: LoadedSound, format: ExportFormat, { sink }: ExportOptions = {}) {
      task?.cancel()
      pool ??= createRenderPool(workerCount)
      const startedExport = startExport(pool, {
        sound,
        details,
        settings: model.state.settings,
        format,
        sink,
        previousExport: task?.result,
        diskWriter,
        onProgress: (done) => task === ownTask && model.setProgress({ export: done }),
      })
      const ownTask: ExportTask = {
        ...startedExport,
        result: startedExport.result.then((outcome) => (outcome.kind === 'cancelled' && model.isClosed ? { kind: 'closed' } : outcome)),
      }
      task = ownTask
      onStart()
      model.setProgress({ export: 0 })
      model.setState({ runningExport: { format } })
      ownTask.result.then(() => endTask(ownTask))
      return ownTask
    },
    /** Resolves when no export reads the sound any more. */
    whenIdle: () => task?.result ?? Promise.resolve(),
    cancel: () => task?.cancel(),
    dispose() {
      pool?.dispose()
      diskWriter.dispose()
    },
  }
}

export type ExportRunner = ReturnType<typeof createExportRunner>
