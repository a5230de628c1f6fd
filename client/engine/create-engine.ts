import { createEmitter } from '../primitives/emitter.ts'
import { nextTask } from '../primitives/next-task.ts'
import { createScope, type Scope } from '../primitives/scope.ts'
import { decodeSoundFile } from './decode.ts'
import { startDecodeWorker } from './decode-client.ts'
import { createDiskWriter } from './disk-writer.ts'
import type { Engine, EngineState, ExportTask, LoadedSound, LoadFailure, LoadSuccess, MakerSettings, Position, Progress } from './engine.ts'
import { clampLoop, emptyState, NO_LOOP, NO_PROGRESS, START_POSITION, withDerivedFields } from './engine-state.ts'
import { estimateExport, startExport } from './export.ts'
import { createFreeSpace } from './free-space.ts'
import { createPreview, type Preview, type PreviewTarget } from './preview.ts'
import { createProjectStore, type Project, type ProjectStore } from './project-store.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { clampSettings } from './render-settings.ts'
import { sweepScratch } from './scratch.ts'
import type { Sound } from './sound.ts'
import { createSpareWorker } from './spare-worker.ts'
import { detectTempo } from './tempo.ts'

export interface EngineDeps {
  /** The initial settings of the maker; values out of range are limited to it. */
  readonly settings?: Partial<MakerSettings>
  /** Id of the account whose project is saved and restored. */
  readonly ownerId?: string
  readonly store?: ProjectStore
  /** The number of export workers; by default the number of cores, at most 4. */
  readonly workerCount?: number
  /** Receives the monitor's output node when playback first starts. */
  readonly onOutput?: (context: AudioContext, output: AudioNode) => void
}

/** A loaded sound and its preview, which are disposed together. */
interface OpenSound {
  readonly sound: Sound
  readonly preview: Preview
}

const TEMPO_DETECTION_AFTER_MS = 500

export function createEngine({
  settings = {},
  ownerId: owner = '',
  store = createProjectStore(owner),
  workerCount: workers,
  onOutput,
}: EngineDeps = {}): Engine {
  const stateChanges = createEmitter()
  const positionChanged = createEmitter<Position>()
  const progressChanged = createEmitter<Progress>()
  const freeSpace = createFreeSpace()
  const diskWriter = createDiskWriter()
  const decodeWorker = createSpareWorker(startDecodeWorker)
  let pool: RenderPool | undefined
  let currentSound: OpenSound | undefined
  let loadController: AbortController | undefined
  let tempoDetection: Scope | undefined
  let task: ExportTask | undefined
  let position = START_POSITION
  let progress = NO_PROGRESS
  let isDisposed = false
  let state = emptyState(settings)
  // Removes scratch files that crashed pages left. If this fails, a later start tries again.
  void sweepScratch()
  decodeWorker.prepare()

  function setState(changes: Partial<EngineState>) {
    if (isDisposed) return
    state = withDerivedFields({ ...state, ...changes })
    stateChanges.emit()
  }

  function reportPosition(next: Position) {
    position = next
    if (!isDisposed) positionChanged.emit(next)
  }

  function reportProgress(changes: Partial<Progress>) {
    progress = { ...progress, ...changes }
    if (!isDisposed) progressChanged.emit(progress)
  }

  /** Loads the project that `read` returns; undefined if there is none. Aborts an earlier load. */
  async function loadSound(
    readProject: () => Promise<Partial<Project> | undefined>,
    isNew: boolean,
  ): Promise<LoadSuccess | LoadFailure | undefined> {
    loadController?.abort()
    const controller = new AbortController()
    if (isDisposed) controller.abort()
    loadController = controller
    // While a saved project is restored, the state is `loading` only if there is a project.
    reportProgress({ load: undefined })
    if (isNew) setState({ phase: 'loading' })
    try {
      const project = await readProject()
      if (controller.signal.aborted) return { kind: 'cancelled' }
      if (project?.file === undefined) return undefined
      const { file } = project
      tempoDetection?.dispose()
      setState({ phase: 'loading' })
      const { signal } = controller
      const onProgress = (load: number | undefined) => {
        if (!signal.aborted) reportProgress({ load })
      }
      const decodedFile = await decodeSoundFile(file, { signal, onProgress, takeWorker: decodeWorker.take })
      // The large message of the decode worker, the page's render of the sound, and what follows it have a task each, so that none is long.
      await nextTask()
      if (signal.aborted) {
        if (decodedFile.kind === 'decoded') decodedFile.sound.dispose()
        return { kind: 'cancelled' }
      }
      if (decodedFile.kind !== 'decoded') return decodedFile
      const { sound } = decodedFile
      const details: LoadedSound = { ...decodedFile.details, bpm: undefined }
      closeSound()
      const previewTarget = {
        settings: clampSettings(state.settings, project.settings ?? {}),
        loop: clampLoop(project.loop ?? { ...NO_LOOP, endS: details.durationS }, details.durationS),
        monitor: 'edited',
      } as const
      const openedSound = openSound(sound, previewTarget)
      currentSound = openedSound
      loadController = undefined
      const isDetectingTempo = project.bpm === undefined
      setState({ ...previewTarget, phase: 'loaded', sound: { ...details, bpm: project.bpm }, isPlaying: false, isDetectingTempo })
      reportProgress({ load: undefined })
      await nextTask()
      if (isNew && currentSound === openedSound) void store.save(file, state.settings)
      // The page shows the sound before the processor is given to what it does not wait for.
      void nextTask().then(() => {
        if (currentSound !== openedSound) return
        if (isDetectingTempo) startTempoDetection()
        else decodeWorker.prepare()
        freeSpace.refresh().catch(() => {})
      })
      return { kind: 'loaded', sound: details }
    } finally {
      if (loadController === controller) {
        loadController = undefined
        if (state.isDetectingTempo) startTempoDetection()
        setState({ phase: currentSound === undefined ? 'empty' : 'loaded' })
        reportProgress({ load: undefined })
      }
    }
  }

  const openSound = (sound: Sound, previewTarget: PreviewTarget): OpenSound => ({
    sound,
    preview: createPreview({
      sound,
      target: previewTarget,
      volume: state.volume,
      onOutput,
      onPosition: reportPosition,
      onStop: () => setState({ isPlaying: currentSound?.preview.isPlaying === true }),
    }),
  })

  function closeSound() {
    const { preview, sound } = currentSound ?? {}
    tempoDetection?.dispose()
    preview?.dispose()
    // A running export may read the sound until it ends.
    if (task === undefined) sound?.dispose()
    else void task.result.then(() => sound?.dispose())
    currentSound = undefined
    reportPosition(START_POSITION)
  }

  /**
   * Detects the tempo of the current sound, after playback had time to start. Loads and exports take the processor alone: the detection is
   * aborted for them, and starts again afterwards.
   */
  function startTempoDetection() {
    if (currentSound === undefined || task !== undefined) return
    tempoDetection?.dispose()
    const { sound } = currentSound
    const detection = createScope()
    tempoDetection = detection
    detection.timeout(async () => {
      // A sound that cannot be read has no tempo.
      const bpm = await detectTempo(sound, detection.signal).catch(() => undefined)
      if (detection.signal.aborted) return
      if (bpm === undefined) setState({ isDetectingTempo: false })
      else setBpm(bpm)
      decodeWorker.prepare()
    }, TEMPO_DETECTION_AFTER_MS)
  }

  function setBpm(bpm: number) {
    if (state.sound === undefined) return
    tempoDetection?.dispose()
    setState({ sound: { ...state.sound, bpm }, isDetectingTempo: false })
    store.saveBpm(bpm)
  }

  return {
    getSnapshot: () => state,
    subscribe: stateChanges.subscribe,
    load: async (file) => (await loadSound(async () => ({ file }), true)) ?? { kind: 'cancelled' },
    restore: () => loadSound(() => store.load(), false),
    cancelLoad() {
      loadController?.abort()
    },
    async clear() {
      loadController?.abort()
      closeSound()
      setState({ isPlaying: false })
      // The state changes only after the saved project is removed, so that a page that is closed right afterwards does not restore it.
      await store.clear()
      if (currentSound !== undefined) return
      setState({
        phase: loadController === undefined ? 'empty' : 'loading',
        sound: undefined,
        isDetectingTempo: false,
        monitor: 'edited',
        loop: NO_LOOP,
      })
    },
    changeSettings(changes) {
      const newSettings = clampSettings(state.settings, changes)
      // The preview starts to render before the page draws the change, because both take some milliseconds.
      currentSound?.preview.apply({ settings: newSettings })
      setState({ settings: newSettings })
      if (currentSound !== undefined) store.saveSettings(state.settings)
    },
    setBpm,
    async play() {
      if (currentSound === undefined) return
      const playStarted = currentSound.preview.play()
      setState({ isPlaying: currentSound.preview.isPlaying })
      await playStarted
    },
    pause() {
      currentSound?.preview.pause()
      setState({ isPlaying: false })
    },
    seek: (sourceS) => currentSound?.preview.seek(sourceS),
    setLoop(loop) {
      setState({ loop: clampLoop(loop, state.sound?.durationS ?? 0) })
      currentSound?.preview.apply({ loop: state.loop })
      if (currentSound !== undefined) store.saveLoop(state.loop)
    },
    setMonitor(monitor) {
      setState({ monitor })
      currentSound?.preview.apply({ monitor })
    },
    setVolume(volume) {
      setState({ volume: Math.min(1, Math.max(0, volume)) })
      currentSound?.preview.setVolume(state.volume)
    },
    onPosition(listener) {
      const unsubscribe = positionChanged.subscribe(listener)
      listener(position)
      return unsubscribe
    },
    onProgress(listener) {
      const unsubscribe = progressChanged.subscribe(listener)
      listener(progress)
      return unsubscribe
    },
    estimate(format) {
      if (currentSound === undefined || state.sound === undefined) return undefined
      return estimateExport(currentSound.sound, state.sound, state.settings, format, freeSpace.bytes)
    },
    export(format, { sink } = {}) {
      task?.cancel()
      if (currentSound === undefined || state.sound === undefined) {
        sink?.abort().catch(() => {})
        return { result: Promise.resolve({ kind: 'no-sound' }), cancel() {} }
      }
      const previousResult = task?.result
      pool ??= createRenderPool(workers)
      const startedExport = startExport(pool, {
        sound: currentSound.sound,
        details: state.sound,
        settings: state.settings,
        format,
        sink,
        previousExport: previousResult,
        diskWriter,
        onProgress: (done) => task === ownExport && reportProgress({ export: done }),
      })
      const ownExport: ExportTask = {
        ...startedExport,
        result: startedExport.result.then((outcome) => (outcome.kind === 'cancelled' && isDisposed ? { kind: 'closed' } : outcome)),
      }
      task = ownExport
      tempoDetection?.dispose()
      reportProgress({ export: 0 })
      setState({ runningExport: { format } })
      ownExport.result.then(() => {
        if (task !== ownExport) return
        task = undefined
        if (state.isDetectingTempo) startTempoDetection()
        setState({ runningExport: undefined })
        reportProgress({ export: undefined })
        freeSpace.refresh().catch(() => {})
      })
      return ownExport
    },
    dispose() {
      isDisposed = true
      loadController?.abort()
      void store.flush()
      task?.cancel()
      closeSound()
      pool?.dispose()
      diskWriter.dispose()
      decodeWorker.dispose()
    },
  }
}
