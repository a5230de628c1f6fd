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
import { exportFileName } from './file-name.ts'
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
interface Entry {
  readonly queued: QueuedExport
  readonly result: ExportTask['result']
  begin(): void
}

/** Runs exports one after the other, because the workers render one sound at a time. The code of an export is loaded by the first one. */
export function createExportRunner({ model, workerCount, onStart, onEnd }: ExportRunnerDeps) {
  const diskWriter = createDiskWriter()
  let pool: RenderPool | undefined
  let entries: readonly Entry[] = []
  let exportCount = 0

  function setEntries(newEntries: readonly Entry[]) {
    const [firstEntry] = newEntries
    if (entries[0] !== firstEntry) model.setProgress({ exportProgress: firstEntry && 0 })
    entries = newEntries
    const [runningExport, ...waitingExports] = entries.map(({ queued }) => queued)
    model.setState({ runningExport, waitingExports })
  }

  /**
   * Queues an export. When the earlier exports have ended, `runTask` runs it, with the settings at the time of this call.
   * @param fileName name of the exported file
   * @param runTask terminates the export's workers before `abort` of its signal returns; rejects if its code cannot be loaded
   * @param onDropped called if the export is cancelled before it has begun, or if its code cannot be loaded
   */
  function run(
    format: ExportFormat | 'video',
    fileName: string,
    runTask: (context: ExportContext, signal: AbortSignal) => Promise<ExportSuccess | ExportFailure>,
    onDropped = () => {},
  ): ExportTask {
    const { settings, output, sound } = model.state
    let settleResult: (outcome: ExportSuccess | ExportFailure) => void = () => {}
    const result = new Promise<ExportSuccess | ExportFailure>((resolve) => {
      settleResult = resolve
    })
    const controller = new AbortController()
    let hasBegun = false
    const end = (outcome: ExportSuccess | ExportFailure) => {
      if (!entries.includes(entry)) return
      setEntries(entries.filter((other) => other !== entry))
      settleResult(outcome.kind === 'cancelled' && model.isClosed ? { kind: 'closed' } : outcome)
      if (entries.length === 0) onEnd()
      else entries[0]?.begin()
    }
    const cancel = () => {
      if (!entries.includes(entry)) return
      controller.abort()
      if (!hasBegun) onDropped()
      end({ kind: 'cancelled' })
    }
    const entry: Entry = {
      queued: { id: ++exportCount, format, songName: sound?.name ?? '', fileName, cancel },
      result,
      begin() {
        if (hasBegun) return
        hasBegun = true
        pool ??= createRenderPool(workerCount)
        onStart()
        const onProgress = (done: number) => entries[0] === entry && model.setProgress({ exportProgress: done })
        runTask({ pool, settings, output, onProgress }, controller.signal).then(end, (error: unknown) => {
          onDropped()
          end(toExportFailure(error))
        })
      },
    }
    setEntries([...entries, entry])
    entries[0]?.begin()
    return { result, cancel }
  }

  return {
    get isRunning() {
      return entries.length > 0
    },
    run,
    start: (sound: Sound, details: LoadedSound, format: ExportFormat, { sink, isLoop }: ExportOptions = {}) =>
      run(
        format,
        exportFileName(details, model.state.settings, format, { ...model.state.output, isLoop }),
        async ({ pool: renderPool, output, ...context }, signal) => {
          const { runExport } = await import('./export.ts')
          return runExport(renderPool, { ...context, output: { ...output, isLoop }, sound, details, format, sink, diskWriter }, signal)
        },
        () => sink?.abort().catch(() => {}),
      ),
    /** Resolves when no export reads the sound any more. */
    whenIdle: () => Promise.all(entries.map((entry) => entry.result)),
    /** Cancels all exports, and ends the workers. */
    dispose() {
      for (const { queued } of entries.toReversed()) queued.cancel()
      pool?.dispose()
      diskWriter.dispose()
    },
  }
}

export type ExportRunner = ReturnType<typeof createExportRunner>
