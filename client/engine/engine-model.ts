import { createEmitter } from '../primitives/emitter.ts'
import type { EngineState, MakerSettings, Position, Progress } from './engine.ts'
import { emptyEngineState, NO_PROGRESS, START_POSITION, withDerivedFields } from './engine-state.ts'

/** The parts of an engine that pages observe: its state, the position of playback, and the progress of loads and exports. */
export function createEngineModel(settings: Partial<MakerSettings>) {
  const stateChanged = createEmitter()
  const positionChanged = createEmitter<Position>()
  const progressChanged = createEmitter<Progress>()
  let state = emptyEngineState(settings)
  let playbackPosition = START_POSITION
  let progress = NO_PROGRESS
  let isClosed = false

  return {
    get state() {
      return state
    },
    setState(changes: Partial<EngineState>) {
      if (isClosed) return
      state = withDerivedFields({ ...state, ...changes })
      stateChanged.emit()
    },
    setPosition(newPosition: Position) {
      playbackPosition = newPosition
      if (!isClosed) positionChanged.emit(playbackPosition)
    },
    setProgress(changes: Partial<Progress>) {
      progress = { ...progress, ...changes }
      if (!isClosed) progressChanged.emit(progress)
    },
    subscribe: stateChanged.subscribe,
    /** Calls `listener` immediately and with each change. Returns the function that unsubscribes it. */
    onPosition(listener: (position: Position) => void) {
      const unsubscribe = positionChanged.subscribe(listener)
      listener(playbackPosition)
      return unsubscribe
    },
    /** Calls `listener` immediately and with each change. Returns the function that unsubscribes it. */
    onProgress(listener: (progress: Progress) => void) {
      const unsubscribe = progressChanged.subscribe(listener)
      listener(progress)
      return unsubscribe
    },
    get isClosed() {
      return isClosed
    },
    /** After this call, the state does not change and no listener is called. */
    close() {
      isClosed = true
    },
  }
}

export type EngineModel = ReturnType<typeof createEngineModel>
