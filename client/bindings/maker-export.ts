import { useCallback } from 'react'
import type { Engine, Exported, ExportFailure, ExportFormat } from '../engine/engine.ts'
import { busy } from '../platform/busy.ts'
import { canSaveTo, chooseFile, saveFile } from '../platform/save-file.ts'
import { useRecordExport } from './make-history.ts'

/** What became of an export; undefined where none was begun, as no place was chosen for it. */
export type Outcome = Exported | ExportFailure | undefined

export interface MakerExport {
  /** Renders, then hands the file to the browser's downloads. */
  download(format: ExportFormat): Promise<Outcome>
  /** Asks where to, then renders into that file. To be called from a press; absent where the browser cannot. */
  saveTo?(format: ExportFormat): Promise<Outcome>
  cancel(): void
}

/** Of the whole page: leaving the maker does not end it, and no update interrupts it. */
let running: { cancel(): void } | undefined

const keepOpen = (event: Event) => event.preventDefault()

export function useMakerExport(engine: Engine): MakerExport {
  const record = useRecordExport()
  const run = useCallback(
    async (format: ExportFormat, sink?: FileSystemWritableFileStream): Promise<Exported | ExportFailure> => {
      const release = busy.hold('render')
      // Whoever closes the page now is asked.
      addEventListener('beforeunload', keepOpen)
      const { speed, pitch } = engine.getSnapshot().settings
      const task = engine.export(format, { sink })
      running = task
      try {
        const outcome = await task.result
        // A file that is there is there, recorded or not.
        if (outcome.kind === 'exported')
          record({ file_name: outcome.fileName, file_size: outcome.bytes, speed, pitch }).catch(() => undefined)
        return outcome
      } finally {
        if (running === task) running = undefined
        removeEventListener('beforeunload', keepOpen)
        release()
      }
    },
    [engine, record],
  )
  return {
    async download(format) {
      const outcome = await run(format)
      if (outcome.kind === 'exported' && outcome.file) saveFile(outcome.fileName, outcome.file)
      return outcome
    },
    ...(canSaveTo() && {
      async saveTo(format: ExportFormat) {
        const estimate = engine.estimate(format)
        if (estimate === undefined) return { kind: 'no-sound' as const }
        try {
          const sink = await chooseFile(estimate.fileName)
          return sink && (await run(format, sink))
        } catch (error) {
          return { kind: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }
        }
      },
    }),
    cancel: () => running?.cancel(),
  }
}
