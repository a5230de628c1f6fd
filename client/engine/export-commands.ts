import { waitForNextTask } from '../primitives/next-task.ts'
import type { Engine, VideoFormat } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { estimateExportSize } from './export-estimate.ts'
import type { ExportRunner } from './export-runner.ts'
import { createVideoFileName } from './file-name.ts'
import { toRenderSettings } from './render-settings.ts'
import { editSound, NO_EDITS } from './sound-edits.ts'
import type { SoundSlot } from './sound-slot.ts'
import type { PreparedSound } from './video/prepared-sound.ts'

type ExportCommands = Pick<Engine, 'estimate' | 'export' | 'openVideoStudio' | 'exportVideo' | 'videoFileName' | 'measureLevel'>

export interface ExportCommandsDeps {
  readonly model: EngineModel
  readonly soundSlot: SoundSlot
  readonly exportRunner: ExportRunner
  /** The storage that the browser still grants, in bytes; `undefined` if it is unknown. */
  readonly freeSpace: { readonly bytes: number | undefined }
  readonly workerCount: number | undefined
}

/** The commands that make files of the open sound, or measure it. */
export function createExportCommands({ model, soundSlot, exportRunner, freeSpace, workerCount }: ExportCommandsDeps): ExportCommands {
  let preparedSound: PreparedSound | undefined

  /** Returns the edited sound, or only its loop. */
  function takeExportedSound(isLoop = false) {
    const editedSound = soundSlot.current?.editedSound
    const { startS, endS } = model.state.loop
    if (editedSound === undefined || !isLoop) return editedSound
    const [startFrame, endFrame] = [Math.round(startS * editedSound.sampleRate), Math.round(endS * editedSound.sampleRate)]
    return editSound(editedSound, { ...NO_EDITS, range: { startFrame, endFrame } })
  }

  /** Returns the details of the open sound with the chosen tags. */
  function getTaggedDetails() {
    const { sound, output } = model.state
    return sound && { ...sound, ...output.tags }
  }

  function findVideoName({ container }: VideoFormat): string | undefined {
    const { settings, output } = model.state
    const details = getTaggedDetails()
    return details && createVideoFileName(details, settings, container, output)
  }

  return {
    estimate(format, { isLoop } = {}) {
      const { settings, output } = model.state
      const [sound, details] = [takeExportedSound(isLoop), getTaggedDetails()]
      if (sound === undefined || details === undefined) return undefined
      return estimateExportSize({ sound, details, settings, format, output: { ...output, isLoop } }, freeSpace.bytes)
    },
    export(format, options = {}) {
      const [exportedFileSound, loadedSound] = [takeExportedSound(options.isLoop), getTaggedDetails()]
      if (exportedFileSound !== undefined && loadedSound !== undefined)
        return exportRunner.start(exportedFileSound, loadedSound, format, options)
      options.sink?.abort().catch(() => {})
      return { result: Promise.resolve({ kind: 'no-sound' }), cancel() {} }
    },
    async openVideoStudio() {
      // The dialog is shown in a task of its own, so that the page is not blocked for long.
      await waitForNextTask()
      const [{ createVideoStudio }, { prepareSound }] = await Promise.all([
        import('./video/video-studio.ts'),
        import('./video/prepared-sound.ts'),
      ])
      const sound = takeExportedSound()
      const { settings, output, lengthS } = model.state
      // The sound of the video is compressed while the person designs the pictures.
      const prepared = sound && !exportRunner.isRunning ? prepareSound({ sound, settings, output }, lengthS, workerCount) : undefined
      preparedSound = prepared
      return createVideoStudio(prepared?.dispose)
    },
    exportVideo(design, format, options = {}) {
      const [editedSound, loadedSound, fileName] = [takeExportedSound(), getTaggedDetails(), findVideoName(format)]
      if (editedSound === undefined || loadedSound === undefined || fileName === undefined)
        return { result: Promise.resolve({ kind: 'no-sound' }), cancel() {} }
      return exportRunner.run('video', fileName, async (context, signal) => {
        await waitForNextTask()
        const { runVideoExport } = await import('./video-task.ts')
        return runVideoExport({ ...context, preparedSound, sound: editedSound, details: loadedSound, design, format, ...options }, signal)
      })
    },
    videoFileName: findVideoName,
    async measureLevel(options) {
      const sound = takeExportedSound()
      if (sound === undefined) return undefined
      const { settings, output } = model.state
      const { measureLevel } = await import('./level.ts')
      return measureLevel({ sound, settings: toRenderSettings(settings, sound.sampleRate), ...options }, output.targetLufs)
    },
  }
}
