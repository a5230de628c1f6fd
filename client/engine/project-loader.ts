import { waitForNextTask } from '../primitives/next-task.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import type { decodeSoundFile } from './decode.ts'
import { addStep, createHistory } from './edit-history.ts'
import type { LoadedSound, LoadFailure, LoadSuccess, SoundFile } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { clampLoop, DEFAULT_OUTPUT, EMPTY_LOOP } from './engine-state.ts'
import type { Project, StoredProject } from './projects/project-session.ts'
import { clampSettings } from './render-settings.ts'
import type { Sound } from './sound.ts'
import { computeEditedLength, NO_EDITS } from './sound-edits.ts'
import type { CreatePreview, OpenSound, SoundSlot } from './sound-slot.ts'
import type { SpareWorker } from './spare-worker.ts'

/** A project whose song is to be loaded. A new project has no id. */
export type LoadableProject = StoredProject | (Partial<Project> & { readonly file: SoundFile; readonly id?: undefined })

/** Loads one project at a time: a new load cancels the running one. */
export interface ProjectLoader {
  readonly isLoading: boolean
  /**
   * Loads the project that `readProject` returns. Resolves with undefined if `readProject` returns no project. `isNewProject` states that
   * the project is not saved yet.
   */
  load(readProject: () => Promise<LoadableProject | undefined>, isNewProject: boolean): Promise<LoadSuccess | LoadFailure | undefined>
  cancel(): void
  /** Loads, in advance, the code that the first load of a sound needs. */
  prepareLoad(): Promise<unknown>
}

type DecodeSoundFile = typeof decodeSoundFile

/** Loads the code that decodes and plays sounds, which an empty editor does not need. */
const loadSoundModules = loadOnce(() => Promise.all([import('./decode.ts'), import('./preview.ts')]))

export interface ProjectLoaderDeps {
  readonly model: EngineModel
  readonly soundSlot: SoundSlot
  readonly decodeWorker: SpareWorker
  /** Called when the decoding of a file begins. */
  readonly onDecode: () => void
  /** Called as soon as the new sound is in the slot, so that each change is saved in the project of the sound that it changes. */
  readonly onShown: (project: LoadableProject) => void
  /** Called in a separate task, after the page has rendered the new sound. */
  readonly onOpened: (openSound: OpenSound) => void
  /** Called when a load has ended without a new sound. */
  readonly onFailed: () => void
}

export function createProjectLoader({
  model,
  soundSlot,
  decodeWorker,
  onDecode,
  onShown,
  onOpened,
  onFailed,
}: ProjectLoaderDeps): ProjectLoader {
  let controller: AbortController | undefined

  /**
   * Decodes a file. Receiving the large message of the decode worker, drawing the sound and the work after that are separate tasks, so that
   * no task blocks the page for long.
   */
  async function decodeFile(decodeSoundFile: DecodeSoundFile, file: SoundFile, signal: AbortSignal) {
    const onProgress = (load: number | undefined) => {
      if (!signal.aborted) model.setProgress({ loadProgress: load })
    }
    const decodedFile = await decodeSoundFile(file, { signal, onProgress, takeWorker: decodeWorker.take })
    await waitForNextTask()
    if (!signal.aborted) return decodedFile
    if (decodedFile.kind === 'decoded') decodedFile.sound.dispose()
    return { kind: 'cancelled' } as const
  }

  /**
   * Shows a decoded sound with the saved data of its project. A new song takes over the name pattern and the level of the previous song.
   */
  function showSound(createPreview: CreatePreview, sound: Sound, loadedSound: LoadedSound, project: LoadableProject): OpenSound {
    const settings = clampSettings(model.state.settings, project.settings ?? {})
    const soundEdits = project.history?.steps[project.history.index]?.edits ?? NO_EDITS
    const editHistory =
      project.history === undefined
        ? createHistory({ settings, edits: soundEdits })
        : addStep(project.history, { settings, edits: soundEdits })
    const { durationS } = computeEditedLength(loadedSound, soundEdits)
    const loop = clampLoop(project.loop ?? { ...EMPTY_LOOP, endS: durationS }, durationS)
    const previewTarget = { settings, loop, monitor: 'edited' } as const
    const openSound = soundSlot.open(createPreview, sound, loadedSound, soundEdits, previewTarget)
    const isDetectingTempo = project.bpm === undefined
    const { title, artist, album, year } = loadedSound
    model.setState({
      ...previewTarget,
      edits: soundEdits,
      history: editHistory,
      phase: 'loaded',
      sound: {
        ...loadedSound,
        ...computeEditedLength(loadedSound, soundEdits),
        bpm: project.bpm,
        ...(project.chosenCover && { cover: project.chosenCover, hasChosenCover: true }),
      },
      isPlaying: false,
      isDetectingTempo,
      output: project.output ?? {
        ...(project.id === undefined ? model.state.output : DEFAULT_OUTPUT),
        tags: { title, artist, album, year },
      },
    })
    onShown(project)
    model.setProgress({ loadProgress: undefined })
    return openSound
  }

  return {
    get isLoading() {
      return controller !== undefined
    },
    async load(readProject, isNewProject) {
      controller?.abort()
      const loadController = new AbortController()
      if (model.isClosed) loadController.abort()
      controller = loadController
      const { signal } = loadController
      // The state changes to `loading` only if there is a saved project to restore.
      model.setProgress({ loadProgress: undefined })
      if (isNewProject) model.setState({ phase: 'loading' })
      try {
        const project = await readProject()
        if (signal.aborted) return { kind: 'cancelled' }
        if (project === undefined) return undefined
        const { file } = project
        onDecode()
        model.setState({ phase: 'loading' })
        const soundModules = await loadSoundModules().catch(() => undefined)
        if (signal.aborted) return { kind: 'cancelled' }
        if (soundModules === undefined) return { kind: 'undecodable' }
        const [{ decodeSoundFile }, { createPreview }] = soundModules
        const decodedFile = await decodeFile(decodeSoundFile, file, signal)
        if (decodedFile.kind !== 'decoded') return decodedFile
        const soundDetails: LoadedSound = { ...decodedFile.details, bpm: undefined }
        controller = undefined
        const openSound = showSound(createPreview, decodedFile.sound, soundDetails, project)
        await waitForNextTask()
        if (soundSlot.current === openSound) onOpened(openSound)
        return { kind: 'loaded', sound: soundDetails }
      } finally {
        if (controller === loadController) {
          controller = undefined
          onFailed()
          model.setProgress({ loadProgress: undefined })
        }
      }
    },
    cancel: () => controller?.abort(),
    prepareLoad: loadSoundModules,
  }
}
