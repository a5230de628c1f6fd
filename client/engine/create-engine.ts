import { decode } from './decode.ts'
import { createDeviceRoom } from './device-room.ts'
import type { Engine, EngineState, ExportTask, Loaded, LoadedSound, LoadFailure, MakerSettings, Position } from './engine.ts'
import { AT_REST, clampLoop, emptyState, NO_LOOP, withFigures } from './engine-state.ts'
import { estimateExport, startExport } from './export.ts'
import { createPreview, type Preview } from './preview.ts'
import { createProjectStore, type Project, type ProjectStore } from './project-store.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { withChanges } from './render-settings.ts'
import { sweepScratch } from './scratch.ts'
import type { Sound } from './sound.ts'
import { detectTempo } from './tempo.ts'

export interface EngineDeps {
  /** Those of the site; they are brought into range. */
  readonly settings?: Partial<MakerSettings>
  /** Whose project is kept, and taken up. */
  readonly owner?: string
  readonly store?: ProjectStore
  /** Workers of an export; as many as the processor has cores, 4 at most, where it is not said. */
  readonly workers?: number
  /** Gets what is heard, once there is something. */
  readonly tap?: (context: AudioContext, output: AudioNode) => void
}

/** All of one sound: disposed together. */
interface Session {
  readonly sound: Sound
  readonly preview: Preview
  /** Aborted with it. */
  readonly ending: AbortController
}

export function createEngine({ settings = {}, owner = '', store = createProjectStore(owner), workers, tap }: EngineDeps = {}): Engine {
  const listeners = new Set<() => void>()
  const positionListeners = new Set<(position: Position) => void>()
  const room = createDeviceRoom()
  let pool: RenderPool | undefined
  let session: Session | undefined
  let loading: AbortController | undefined
  let task: ExportTask | undefined
  let position = AT_REST
  let disposed = false
  let state = emptyState(settings)
  // Left by a page that crashed; where it cannot be taken away, a later start tries.
  void sweepScratch()

  function set(changes: Partial<EngineState>) {
    if (disposed) return
    state = withFigures({ ...state, ...changes })
    for (const listener of [...listeners]) listener()
  }

  function tellPosition(now: Position) {
    position = now
    for (const listener of [...positionListeners]) listener(now)
  }

  /** `read` gives the project; what it says of the settings is taken on. */
  async function load(read: () => Promise<Partial<Project> | undefined>, isNew: boolean): Promise<Loaded | LoadFailure | undefined> {
    loading?.abort()
    const own = new AbortController()
    if (disposed) own.abort()
    loading = own
    // Where nothing is kept there is nothing to wait for.
    if (isNew) set({ phase: 'loading', loadProgress: undefined })
    try {
      const project = await read()
      if (own.signal.aborted) return { kind: 'cancelled' }
      if (project?.file === undefined) return undefined
      set({ phase: 'loading' })
      const { signal } = own
      const onProgress = (loadProgress: number | undefined) => {
        if (!signal.aborted) set({ loadProgress })
      }
      const decoded = await decode(project.file, { signal, onProgress })
      if (signal.aborted) {
        if (decoded.kind === 'decoded') decoded.sound.dispose()
        return { kind: 'cancelled' }
      }
      if (decoded.kind !== 'decoded') return decoded
      const { sound } = decoded
      const about: LoadedSound = { ...decoded.details, bpm: undefined }
      closeSession()
      const next = {
        settings: withChanges(state.settings, project.settings ?? {}),
        loop: clampLoop(project.loop ?? { ...NO_LOOP, endS: about.durationS }, about.durationS),
      }
      session = openSession(sound, { ...next, heard: 'edited' })
      set({ ...next, sound: { ...about, bpm: project.bpm }, heard: 'edited', playing: false })
      if (project.bpm === undefined) listenForTempo(session)
      room.refresh().catch(() => {})
      if (isNew) void store.save(project.file, state.settings)
      return { kind: 'loaded', sound: about }
    } finally {
      if (loading === own) {
        loading = undefined
        set({ phase: session === undefined ? 'empty' : 'loaded', loadProgress: undefined })
      }
    }
  }

  const openSession = (sound: Sound, wish: Pick<EngineState, 'settings' | 'loop' | 'heard'>): Session => ({
    sound,
    ending: new AbortController(),
    preview: createPreview({
      sound,
      wish,
      volume: state.volume,
      tap,
      onPosition: tellPosition,
      onPlaying: () => set({ playing: session?.preview.playing === true }),
    }),
  })

  function closeSession() {
    task?.cancel()
    session?.ending.abort()
    session?.preview.dispose()
    session?.sound.dispose()
    session = undefined
    tellPosition(AT_REST)
  }

  function listenForTempo(current: Session) {
    detectTempo(current.sound, current.ending.signal).then(
      (bpm) => {
        // A person may have said it meanwhile.
        if (session === current && state.sound?.bpm === undefined && bpm !== undefined) tellTempo(bpm)
      },
      // Without a beat there is none to be told.
      () => {},
    )
  }

  function tellTempo(bpm: number) {
    if (state.sound === undefined) return
    set({ sound: { ...state.sound, bpm } })
    store.saveBpm(bpm)
  }

  const loaded = (found: Loaded | LoadFailure | undefined): Loaded | LoadFailure => found ?? { kind: 'cancelled' }

  return {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: async (file) => loaded(await load(async () => ({ file }), true)),
    restore: () => load(() => store.load(), false),
    cancelLoad() {
      loading?.abort()
    },
    async clear() {
      loading?.abort()
      closeSession()
      set({ playing: false })
      // Shown as gone once it is: a page that is left right then must not find it again.
      await store.clear()
      if (session !== undefined) return
      set({ phase: loading === undefined ? 'empty' : 'loading', sound: undefined, heard: 'edited', loop: NO_LOOP })
    },
    change(changes) {
      set({ settings: withChanges(state.settings, changes) })
      session?.preview.apply({ settings: state.settings })
      if (session !== undefined) store.saveSettings(state.settings)
    },
    correctBpm: tellTempo,
    async play() {
      if (session === undefined) return
      const started = session.preview.play()
      set({ playing: session.preview.playing })
      await started
    },
    pause() {
      session?.preview.pause()
      set({ playing: false })
    },
    seek: (sourceS) => session?.preview.seek(sourceS),
    setLoop(loop) {
      set({ loop: clampLoop(loop, state.sound?.durationS ?? 0) })
      session?.preview.apply({ loop: state.loop })
      if (session !== undefined) store.saveLoop(state.loop)
    },
    compare(heard) {
      set({ heard })
      session?.preview.apply({ heard })
    },
    setVolume(volume) {
      set({ volume: Math.min(1, Math.max(0, volume)) })
      session?.preview.setVolume(state.volume)
    },
    onPosition(listener) {
      positionListeners.add(listener)
      listener(position)
      return () => positionListeners.delete(listener)
    },
    estimate(format) {
      if (session === undefined || state.sound === undefined) return undefined
      return estimateExport(session.sound, state.sound, state.settings, format, room.bytes)
    },
    export(format, { sink } = {}) {
      task?.cancel()
      if (session === undefined || state.sound === undefined) {
        sink?.abort().catch(() => {})
        return { result: Promise.resolve({ kind: 'no-sound' }), cancel() {} }
      }
      const before = task?.result
      pool ??= createRenderPool(workers)
      const order = { sound: session.sound, about: state.sound, settings: state.settings, format, sink }
      const own = startExport(pool, {
        ...order,
        after: before,
        onProgress: (progress) => task === own && set({ exporting: { format, progress } }),
      })
      task = own
      set({ exporting: { format, progress: 0 } })
      own.result.then(() => {
        if (task !== own) return
        task = undefined
        set({ exporting: undefined })
        room.refresh().catch(() => {})
      })
      return own
    },
    dispose() {
      loading?.abort()
      void store.flush()
      closeSession()
      pool?.dispose()
      disposed = true
      listeners.clear()
      positionListeners.clear()
    },
  }
}
