import { createEmitter } from '../primitives/emitter.ts'
import type { EngineState, MakerSettings, Position, Progress } from './engine.ts'
import { emptyState, NO_PROGRESS, START_POSITION, withDerivedFields } from './engine-state.ts'

/** What pages observe of an engine: its state, the position of playback, and the progress of loads and exports. */
export interface EngineModel {
  readonly state: EngineState
  setState(changes: Partial<EngineState>): void
  setPosition(position: Position): void
  setProgress(changes: Partial<Progress>): void
  subscribe(listener: () => void): () => void
  /** Calls `listener` at once and with each change. Returns the function that unsubscribes it. */
  onPosition(listener: (position: Position) => void): () => void
  /** Calls `listener` at once and with each change. Returns the function that unsubscribes it. */
  onProgress(listener: (progress: Progress) => void): () => void
  readonly isClosed: boolean
  /** Ends all changes and notifications. */
  close(): void
}

export function createEngineModel(settings: Partial<MakerSettings>): EngineModel {
  const stateChanged = createEmitter()
  const positionChanged = createEmitter<Position>()
  const progressChanged = createEmitter<Progress>()
  let state = emptyState(settings)
  let position = START_POSITION
  let progress = NO_PROGRESS
  let isClosed = false

  return {
    get state() {
      return state
    },
    setState(changes) {
      if (isClosed) return
      state = withDerivedFields({ ...state, ...changes })
      stateChanged.emit()
    },
    setPosition(newPosition) {
      position = newPosition
      if (!isClosed) positionChanged.emit(position)
    },
    setProgress(changes) {
      progress = { ...progress, ...changes }
      if (!isClosed) progressChanged.emit(progress)
    },
    subscribe: stateChanged.subscribe,
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
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
    },
  }
}
