import { waitForNextTask } from '../primitives/next-task.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import { createLazyBatch } from './batch/lazy-batch.ts'
import { startDecodeWorker } from './decode-client.ts'
import { createEditCommands } from './edit-commands.ts'
import { createHistory } from './edit-history.ts'
import type { Engine, MakerSettings } from './engine.ts'
import { createEngineModel, type EngineModel } from './engine-model.ts'
import { clampLoop, EMPTY_LOOP } from './engine-state.ts'
import { createExportCommands } from './export-commands.ts'
import { createExportRunner } from './export-runner.ts'
import { createLevelPreview } from './level-preview.ts'
import { createProjectLoader } from './project-loader.ts'
import { createProjectStore, type ProjectStore } from './projects/project-store.ts'
import { CHOSEN_COVER_PX, toSquarePicture } from './projects/square-picture.ts'
import { removeAbandonedScratchFiles } from './scratch.ts'
import { NO_EDITS } from './sound-edits.ts'
import { createSoundSlot, type SoundSlot } from './sound-slot.ts'
import { createSpareWorker } from './spare-worker.ts'
import { createTempoDetection } from './tempo-detection.ts'

export interface EngineDeps {
  /** The initial settings of the maker; values out of range are clamped. */
  readonly settings?: Partial<MakerSettings>
  /** Id of the account whose project is saved and restored. */
  readonly ownerId?: string
  readonly store?: ProjectStore
  /** The number of export workers; by default the number of cores, at most 4. */
  readonly workerCount?: number
  /** Receives the output node of the preview when playback first starts. */
  readonly onOutput?: (context: AudioContext, output: AudioNode) => void
}

const importFinishedSounds = () => import('./finished-sounds.ts')

/** Removes finished sounds, which can be rendered again, so that there is room for projects. */
const removeFinishedSounds = async () => void (await (await importFinishedSounds()).removeUnusedSounds())

/** Returns the projects of a store. Removing the open project calls `clearAll`, which unloads its sound, unless it cannot be deleted. */
function createEngineProjects(store: ProjectStore, clearAll: () => Promise<boolean>): Engine['projects'] {
  const removalById = new Map<string, Promise<boolean>>()

  async function removeOpen() {
    const isDeleted = await store.deleteOpen()
    // If another project was opened during the deletion, it stays open.
    if (isDeleted && store.isOpenDeleted) await clearAll()
    return isDeleted
  }

  return {
    ...store.library,
    remove(id) {
      const removal =
        removalById.get(id) ?? (id === store.openId ? removeOpen() : store.library.remove(id)).finally(() => removalById.delete(id))
      removalById.set(id, removal)
      return removal
    },
  }
}

/** Returns the function that opens finished sounds. Its code is loaded by the first call. */
function createSoundOpener(store: ProjectStore, workerCount: number | undefined): Engine['openFinishedSound'] {
  const load = loadOnce(async () => (await importFinishedSounds()).createFinishedSounds({ readProject: store.read, workerCount }))
  return async (projectId, signal) => (await load()).open(projectId, signal)
}

export function createEngine({
  settings = {},
  ownerId: owner = '',
  store = createProjectStore({ ownerId: owner, freeSpace: removeFinishedSounds }),
  workerCount,
  onOutput,
}: EngineDeps = {}): Engine {
  const model = createEngineModel(settings)
  const freeSpace = createFreeSpaceMeter()
  const lazyBatch = createLazyBatch(owner, workerCount)
  const decodeWorker = createSpareWorker(startDecodeWorker)
  const tempoDetection = createTempoDetection((bpm) => {
    if (bpm === undefined) model.setState({ isDetectingTempo: false })
    else setBpm(bpm)
    decodeWorker.prepare()
  })
  // Tempo detection is cancelled during loads and exports, which need the processor, and starts again afterwards.
  const exportRunner = createExportRunner({
    model,
    workerCount,
    onStart: tempoDetection.cancel,
    onEnd() {
      resumeTempoDetection()
      freeSpace.refresh().catch(() => {})
    },
  })
  const soundSlot = createSoundSlot({ model, exportRunner, onOutput })
  const levelPreview = createLevelPreview(model, soundSlot)
  const projectLoader = createProjectLoader({
    model,
    soundSlot,
    decodeWorker,
    onDecode: tempoDetection.cancel,
    onShown(project) {
      const { settings: currentSettings, sound, lengthS, output } = model.state
      if (project.id === undefined) {
        void store.save(project.file, currentSettings, { title: sound?.title, artist: sound?.artist, lengthS })
        if (output.namePattern !== '' || output.targetLufs !== undefined) store.saveOutput(output)
      } else {
        void store.open(project)
        store.saveLength(lengthS)
      }
    },
    onOpened(openSound) {
      const { cover } = model.state.sound ?? {}
      if (cover) void store.saveCover(toSquarePicture(cover))
      // Waits until the page has drawn the sound's waveform, so that background work does not delay the drawing.
      void waitForNextTask().then(() => {
        if (soundSlot.current === openSound) prepareForNextSound()
      })
    },
    onFailed() {
      resumeTempoDetection()
      model.setState({ phase: soundSlot.current === undefined ? 'empty' : 'loaded' })
    },
  })
  store.onState(model.setState)
  // Removes scratch files that crashed pages left. If this fails, a later start tries again.
  void removeAbandonedScratchFiles()

  function prepareForNextSound() {
    if (model.state.isDetectingTempo) resumeTempoDetection()
    else decodeWorker.prepare()
    freeSpace.refresh().catch(() => {})
  }

  function resumeTempoDetection() {
    if (model.state.isDetectingTempo && soundSlot.current !== undefined && !exportRunner.isRunning && !model.isClosed)
      tempoDetection.start(soundSlot.current.sound, soundSlot.current.details.peaks)
  }

  function setBpm(bpm: number) {
    const { sound } = model.state
    if (sound === undefined) return
    tempoDetection.cancel()
    model.setState({ sound: { ...sound, bpm }, isDetectingTempo: false })
    store.saveBpm(bpm)
  }

  const engine: Engine = {
    ...createSoundCommands(model, soundSlot, store),
    ...createEditCommands(model, soundSlot, store),
    changeCover: createCoverCommand(model, soundSlot, store),
    ...createExportCommands({ model, soundSlot, exportRunner, freeSpace, workerCount }),
    getSnapshot: () => model.state,
    subscribe: model.subscribe,
    onPosition: model.onPosition,
    onProgress: model.onProgress,
    load: async (file) => (await projectLoader.load(async () => ({ file }), true)) ?? { kind: 'cancelled' },
    restore: () => projectLoader.load(() => store.readLast(), false),
    openProject: (id) => projectLoader.load(() => store.read(id).catch(() => undefined), false),
    projects: createEngineProjects(store, () => engine.clear()),
    openFinishedSound: createSoundOpener(store, workerCount),
    cancelLoad: projectLoader.cancel,
    prepareLoad() {
      decodeWorker.prepare()
      // If this fails, the first load tries again.
      projectLoader.prepareLoad().catch(() => {})
    },
    async clear() {
      projectLoader.cancel()
      tempoDetection.cancel()
      soundSlot.close()
      model.setState({ isPlaying: false })
      // The saved project is removed before the state changes. If the page is closed right after the change, the next visit does not
      // restore the project.
      const isDeleted = await store.clear()
      if (soundSlot.current !== undefined) return isDeleted
      model.setState({
        phase: projectLoader.isLoading ? 'loading' : 'empty',
        sound: undefined,
        isDetectingTempo: false,
        monitor: 'edited',
        loop: EMPTY_LOOP,
        edits: NO_EDITS,
        history: createHistory({ settings: model.state.settings, edits: NO_EDITS }),
      })
      return isDeleted
    },
    changeOutput(outputChanges) {
      model.setState({ output: { ...model.state.output, ...outputChanges } })
      if (soundSlot.current !== undefined) store.saveOutput(model.state.output)
    },
    setBpm,
    hasStoredBatch: lazyBatch.hasStored,
    openBatch: lazyBatch.open,
    async dispose() {
      model.close()
      lazyBatch.dispose()
      levelPreview.dispose()
      projectLoader.cancel()
      tempoDetection.cancel()
      const savePromise = store.dispose()
      exportRunner.dispose()
      soundSlot.close()
      decodeWorker.dispose()
      await savePromise
    },
  }
  return engine
}

type SoundCommands = Pick<Engine, 'play' | 'pause' | 'seek' | 'setLoop' | 'setMonitor' | 'setVolume'>

/** The commands that change how the open sound is played. A changed loop is saved with the project. */
function createSoundCommands(model: EngineModel, soundSlot: SoundSlot, store: ProjectStore): SoundCommands {
  return {
    async play() {
      const { preview } = soundSlot.current ?? {}
      if (preview === undefined) return
      const playStarted = preview.play()
      model.setState({ isPlaying: preview.isPlaying })
      await playStarted
    },
    pause() {
      soundSlot.current?.preview.pause()
      model.setState({ isPlaying: false })
    },
    seek: (sourceS) => soundSlot.current?.preview.seek(sourceS),
    setLoop(newLoop) {
      const loop = clampLoop(newLoop, model.state.sound?.durationS ?? 0)
      model.setState({ loop })
      soundSlot.current?.preview.apply({ loop })
      if (soundSlot.current !== undefined) store.saveLoop(loop)
    },
    setMonitor(monitor) {
      model.setState({ monitor })
      soundSlot.current?.preview.apply({ monitor })
    },
    setVolume(newVolume) {
      const volume = Math.min(1, Math.max(0, newVolume))
      model.setState({ volume })
      soundSlot.current?.preview.setVolume(volume)
    },
  }
}

/** The command that replaces the cover of the open sound. */
function createCoverCommand(model: EngineModel, soundSlot: SoundSlot, store: ProjectStore): Engine['changeCover'] {
  return async (picture) => {
    const openSound = soundSlot.current
    if (openSound === undefined) return false
    const taggedCover = openSound.details.cover
    const squareCover = await (picture ? toSquarePicture(picture, CHOSEN_COVER_PX) : taggedCover && toSquarePicture(taggedCover))
    const { sound } = model.state
    if (sound === undefined || soundSlot.current !== openSound || (picture && squareCover === undefined)) return false
    const isCoverChosen = picture !== undefined
    model.setState({ sound: { ...sound, cover: isCoverChosen ? squareCover : taggedCover, hasChosenCover: isCoverChosen } })
    store.replaceCover({ picture: squareCover, isCoverChosen })
    return true
  }
}

/** The storage space that the browser still grants to the site. */
function createFreeSpaceMeter() {
  let freeBytes: number | undefined
  return {
    /** The free space in bytes at the last refresh; `undefined` if the browser does not report it. */
    get bytes() {
      return freeBytes
    },
    async refresh() {
      try {
        const { quota, usage = 0 } = await navigator.storage.estimate()
        freeBytes = quota === undefined ? undefined : quota - usage
      } catch {
        freeBytes = undefined
      }
    },
  }
}
