import { createDiskWriter } from './disk-writer.ts'
import type { ExportFormat, ExportOptions, ExportTask, LoadedSound, MakerSettings, OutputOptions } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { startExport } from './export.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import type { Sound } from './sound.ts'

export interface ExportRunnerDeps {
  readonly model: EngineModel
  readonly workerCount: number | undefined
  readonly onStart: () => void
  /** Called when an export has ended, unless another export has begun. */
  readonly onEnd: () => void
}

/** The engine's resources that every export receives. */
export interface ExportContext {
  readonly pool: RenderPool
  readonly settings: MakerSettings
  readonly output: OutputOptions
  /** The promise of the previous export. A new export waits for it, because the workers render one sound at a time. */
  readonly previousExport: Promise<unknown> | undefined
  readonly onProgress: (progress: number) => void
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

  /** Cancels the running export, and runs the one that `startTask` starts. */
  function run(format: ExportFormat | 'video', startTask: (context: ExportContext) => ExportTask): ExportTask {
    task?.cancel()
    pool ??= createRenderPool(workerCount)
    const startedExport = startTask({
      pool,
      settings: model.state.settings,
      output: model.state.output,
      previousExport: task?.result,
      onProgress: (done) => task === ownTask && model.setProgress({ export: done }),
    })
    const ownTask: ExportTask = {
      ...startedExport,
      result: startedExport.result.then((outcome) => (outcome.kind === 'cancelled' && model.isClosed ? { kind: 'closed' } : outcome)),
    }
    task = ownTask
    onStart()
    model.setProgress({ export: 0 })
    model.setState({ runningExport: { format, songName: model.state.sound?.name ?? '' } })
    ownTask.result.then(() => endTask(ownTask))
    return ownTask
  }

  return {
    get isRunning() {
      return task !== undefined
    },
    run,
    start: (sound: Sound, details: LoadedSound, format: ExportFormat, { sink }: ExportOptions = {}) =>
      run(format, ({ pool: renderPool, ...context }) => startExport(renderPool, { ...context, sound, details, format, sink, diskWriter })),
    /** Resolves when no export reads the sound any more. */
    whenIdle: () => task?.result ?? Promise.resolve(),
    cancel: () => task?.cancel(),
    /** Cancels the running export, and ends the workers. */
    dispose() {
      task?.cancel()
      pool?.dispose()
      diskWriter.dispose()
    },
  }
}

export type ExportRunner = ReturnType<typeof createExportRunner>
