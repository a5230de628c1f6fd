import { useCallback } from 'react'
import type { Engine, ExportFailure, ExportFormat, ExportSuccess, ExportTask } from '../../engine/engine.ts'
import { busyTracker } from '../../platform/busy.ts'
import { chooseFile, saveFile, supportsSaveFilePicker } from '../../platform/save-file.ts'
import { waitForNextTask } from '../../primitives/next-task.ts'
import { addListener } from '../../primitives/scope.ts'
import { useRecordExport } from './use-export-history.ts'

/** The result of an export; `undefined` if the person cancelled the file picker. */
export type ExportOutcome = ExportSuccess | ExportFailure | undefined

export interface MakerExport {
  /** Renders the song, or its loop, then starts a browser download. */
  download(format: ExportFormat, isLoop: boolean): Promise<ExportOutcome>
  /** Opens the file picker, then renders into the chosen file. Needs user activation; absent without the File System Access API. */
  saveTo?(format: ExportFormat, isLoop: boolean): Promise<ExportOutcome>
  /** Cancels the running export. */
  cancel(): void
}

const preventUnload = (event: Event) => event.preventDefault()

/**
 * Returns a function that runs an export to its end, even if the person leaves the maker's page. While the export runs, a list over the
 * lower edge of each page shows it, the browser asks before it closes the page, and updates of the site wait. Afterwards the exported file
 * is recorded in the history.
 */
export function useExportRunner(engine: Engine) {
  const recordExport = useRecordExport()
  const runExport = useCallback(
    async (startExport: () => ExportTask): Promise<ExportSuccess | ExportFailure> => {
      const releaseBusy = busyTracker.hold('render')
      // While an export runs, the browser asks for confirmation before it closes the page.
      const allowClosing = addListener(window, 'beforeunload', preventUnload)
      const { speed, pitch } = engine.getSnapshot().settings
      const { result } = startExport()
      // If the code of the list of running exports cannot be loaded, only the maker's download button shows the progress.
      waitForNextTask()
        .then(() => import('./export-tray.tsx'))
        .then(({ showExportTray }) => showExportTray(engine))
        .catch(() => {})
      try {
        const exportOutcome = await result
        // The export still succeeds if its record for the history cannot be stored.
        if (exportOutcome.kind === 'exported')
          recordExport({ file_name: exportOutcome.fileName, file_size: exportOutcome.bytes, speed, pitch }).catch(() => undefined)
        return exportOutcome
      } finally {
        allowClosing()
        releaseBusy()
      }
    },
    [engine, recordExport],
  )
  return { run: runExport, cancel: () => engine.getSnapshot().runningExport?.cancel() }
}

export function useMakerExport(engine: Engine): MakerExport {
  const { run, cancel } = useExportRunner(engine)
  const runExport = (format: ExportFormat, isLoop: boolean, sink?: FileSystemWritableFileStream) =>
    run(() => engine.export(format, { sink, isLoop }))
  return {
    async download(format, isLoop) {
      const outcome = await runExport(format, isLoop)
      if (outcome.kind === 'exported' && outcome.file) saveFile(outcome.fileName, outcome.file)
      return outcome
    },
    ...(supportsSaveFilePicker() && {
      async saveTo(format: ExportFormat, isLoop: boolean) {
        const exportEstimate = engine.estimate(format, { isLoop })
        if (exportEstimate === undefined) return { kind: 'no-sound' as const }
        try {
          const sink = await chooseFile(exportEstimate.fileName)
          return sink && (await runExport(format, isLoop, sink))
        } catch (error) {
          return { kind: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }
        }
      },
    }),
    cancel,
  }
}
