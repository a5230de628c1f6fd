import { createDiskWriter } from './disk-writer.ts'
import type {
  ExportFailure,
  ExportFormat,
  ExportOptions,
  ExportSuccess,
  ExportTask,
  LoadedSound,
  MakerSettings,
  OutputOptions,
  QueuedExport,
} from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { toExportFailure } from './export-failure.ts'
import { createExportFileName } from './file-name.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import type { Sound } from './sound.ts'

export interface ExportRunnerDeps {
  readonly model: EngineModel
  readonly workerCount: number | undefined
  /** Called when an export begins. */
  readonly onStart: () => void
  /** Called when the last export has ended. */
  readonly onEnd: () => void
}

/** The engine's resources that every export receives. */
export interface ExportContext {
  readonly pool: RenderPool
  readonly settings: MakerSettings
  readonly output: OutputOptions
  readonly onProgress: (progress: number) => void
}

/** An export in the queue. The first export in the queue is running. */
interface ExportEntry {
  readonly queued: QueuedExport
  readonly result: ExportTask['result']
  begin(): void
}

/** Runs exports one after the other, because the workers render one sound at a time. The code of an export is loaded by the first one. */
export function createExportRunner({ model, workerCount, onStart, onEnd }: ExportRunnerDeps) {
  const diskWriter = createDiskWriter()
  let pool: RenderPool | undefined
  let exportEntries: readonly ExportEntry[] = []
  let lastExportId = 0

  function setEntries(newEntries: readonly ExportEntry[]) {
    const [firstEntry] = newEntries
    if (exportEntries[0] !== firstEntry) model.setProgress({ exportProgress: firstEntry && 0 })
    exportEntries = newEntries
    const [runningExport, ...waitingExports] = exportEntries.map(({ queued }) => queued)
    model.setState({ runningExport, waitingExports })
  }

  /**
   * Queues an export. When the earlier exports have ended, `runTask` runs it, with the settings at the time of this call.
   * @param fileName name of the exported file
   * @param runTask terminates the export's workers before `abort` of its signal returns; rejects if its code cannot be loaded
   * @param onDropped called if the export is cancelled before it has begun, or if its code cannot be loaded
   */
  function queueExport(
    format: ExportFormat | 'video',
    fileName: string,
    runTask: (context: ExportContext, signal: AbortSignal) => Promise<ExportSuccess | ExportFailure>,
    onDropped = () => {},
  ): ExportTask {
    const { settings, output, sound } = model.state
    let settleResult: (outcome: ExportSuccess | ExportFailure) => void = () => {}
    const resultPromise = new Promise<ExportSuccess | ExportFailure>((resolve) => {
      settleResult = resolve
    })
    const controller = new AbortController()
    let hasTaskBegun = false
    const endExport = (exportOutcome: ExportSuccess | ExportFailure) => {
      if (!exportEntries.includes(entry)) return
      setEntries(exportEntries.filter((other) => other !== entry))
      settleResult(exportOutcome.kind === 'cancelled' && model.isClosed ? { kind: 'closed' } : exportOutcome)
      if (exportEntries.length === 0) onEnd()
      else exportEntries[0]?.begin()
    }
    const cancelExport = () => {
      if (!exportEntries.includes(entry)) return
      controller.abort()
      if (!hasTaskBegun) onDropped()
      endExport({ kind: 'cancelled' })
    }
    const entry: ExportEntry = {
      queued: { id: ++lastExportId, format, songName: sound?.name ?? '', fileName, cancel: cancelExport },
      result: resultPromise,
      begin() {
        if (hasTaskBegun) return
        hasTaskBegun = true
        pool ??= createRenderPool(workerCount)
        onStart()
        const onProgress = (done: number) => exportEntries[0] === entry && model.setProgress({ exportProgress: done })
        runTask({ pool, settings, output, onProgress }, controller.signal).then(endExport, (error: unknown) => {
          onDropped()
          endExport(toExportFailure(error))
        })
      },
    }
    setEntries([...exportEntries, entry])
    exportEntries[0]?.begin()
    return { result: resultPromise, cancel: cancelExport }
  }

  return {
    get isRunning() {
      return exportEntries.length > 0
    },
    run: queueExport,
    start: (sound: Sound, loadedSound: LoadedSound, format: ExportFormat, { sink, isLoop }: ExportOptions = {}) =>
      queueExport(
        format,
        createExportFileName(loadedSound, model.state.settings, format, { ...model.state.output, isLoop }),
        async ({ pool: renderPool, output, ...context }, signal) => {
          const { runExport } = await import('./export.ts')
          return runExport(
            renderPool,
            { ...context, output: { ...output, isLoop }, sound, details: loadedSound, format, sink, diskWriter },
            signal,
          )
        },
        () => sink?.abort().catch(() => {}),
      ),
    /** Resolves when no export reads the sound any more. */
    whenIdle: () => Promise.all(exportEntries.map((entry) => entry.result)),
    /** Cancels all exports, and ends the workers. */
    dispose() {
      for (const { queued } of exportEntries.toReversed()) queued.cancel()
      pool?.dispose()
      diskWriter.dispose()
    },
  }
}

export type ExportRunner = ReturnType<typeof createExportRunner>
