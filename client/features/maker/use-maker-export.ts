import { useCallback } from 'react'
import type { Engine, ExportFailure, ExportFormat, ExportSuccess, ExportTask } from '../../engine/engine.ts'
import { busyTracker } from '../../platform/busy.ts'
import { chooseFile, saveFile, supportsSaveFilePicker } from '../../platform/save-file.ts'
import { listen } from '../../primitives/scope.ts'
import { useRecordExport } from './use-export-history.ts'

/** The result of an export; `undefined` if the person cancelled the file picker. */
export type ExportOutcome = ExportSuccess | ExportFailure | undefined

export interface MakerExport {
  /** Renders the file, then starts a browser download. */
  download(format: ExportFormat): Promise<ExportOutcome>
  /** Opens the file picker, then renders into the chosen file. Needs user activation; absent without the File System Access API. */
  saveTo?(format: ExportFormat): Promise<ExportOutcome>
  cancel(): void
}

/** The running export is module state, because an export continues after the maker page is left. */
let runningExport: { cancel(): void } | undefined

const preventUnload = (event: Event) => event.preventDefault()

/**
 * Returns a function that runs an export to its end. While the export runs, the browser asks before it closes the page, and updates of the
 * site wait. Afterwards the exported file is recorded in the history.
 */
export function useExportRunner(engine: Engine) {
  const recordExport = useRecordExport()
  const run = useCallback(
    async (start: () => ExportTask): Promise<ExportSuccess | ExportFailure> => {
      const releaseBusy = busyTracker.hold('render')
      // While an export runs, the browser asks for confirmation before it closes the page.
      const allowClosing = listen(window, 'beforeunload', preventUnload)
      const { speed, pitch } = engine.getSnapshot().settings
      const task = start()
      runningExport = task
      try {
        const outcome = await task.result
        // The export still succeeds if its record for the history cannot be stored.
        if (outcome.kind === 'exported')
          recordExport({ file_name: outcome.fileName, file_size: outcome.bytes, speed, pitch }).catch(() => undefined)
        return outcome
      } finally {
        if (runningExport === task) runningExport = undefined
        allowClosing()
        releaseBusy()
      }
    },
    [engine, recordExport],
  )
  return { run, cancel: () => runningExport?.cancel() }
}

export function useMakerExport(engine: Engine): MakerExport {
  const { run, cancel } = useExportRunner(engine)
  const runExport = (format: ExportFormat, sink?: FileSystemWritableFileStream) => run(() => engine.export(format, { sink }))
  return {
    async download(format) {
      const outcome = await runExport(format)
      if (outcome.kind === 'exported' && outcome.file) saveFile(outcome.fileName, outcome.file)
      return outcome
    },
    ...(supportsSaveFilePicker() && {
      async saveTo(format: ExportFormat) {
        const estimate = engine.estimate(format)
        if (estimate === undefined) return { kind: 'no-sound' as const }
        try {
          const sink = await chooseFile(estimate.fileName)
          return sink && (await runExport(format, sink))
        } catch (error) {
          return { kind: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }
        }
      },
    }),
    cancel,
  }
}
