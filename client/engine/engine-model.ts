import { createEmitter } from '../primitives/emitter.ts'
import type { EngineState, MakerSettings, Position, Progress } from './engine.ts'
import { createEmptyEngineState, NO_PROGRESS, START_POSITION, withDerivedFields } from './engine-state.ts'

/** The parts of an engine that pages observe: its state, the position of playback, and the progress of loads and exports. */
export function createEngineModel(settings: Partial<MakerSettings>) {
  const stateChangeEmitter = createEmitter()
  const positionEmitter = createEmitter<Position>()
  const progressEmitter = createEmitter<Progress>()
  let state = createEmptyEngineState(settings)
  let playbackPosition = START_POSITION
  let currentProgress = NO_PROGRESS
  let isModelClosed = false

  return {
    get state() {
      return state
    },
    setState(stateChanges: Partial<EngineState>) {
      if (isModelClosed) return
      state = withDerivedFields({ ...state, ...stateChanges })
      stateChangeEmitter.emit()
    },
    setPosition(newPosition: Position) {
      playbackPosition = newPosition
      if (!isModelClosed) positionEmitter.emit(playbackPosition)
    },
    setProgress(progressChanges: Partial<Progress>) {
      currentProgress = { ...currentProgress, ...progressChanges }
      if (!isModelClosed) progressEmitter.emit(currentProgress)
    },
    subscribe: stateChangeEmitter.subscribe,
    /** Calls `listener` immediately and with each change. Returns the function that unsubscribes it. */
    onPosition(listener: (position: Position) => void) {
      const unsubscribe = positionEmitter.subscribe(listener)
      listener(playbackPosition)
      return unsubscribe
    },
    /** Calls `listener` immediately and with each change. Returns the function that unsubscribes it. */
    onProgress(listener: (progress: Progress) => void) {
      const unsubscribe = progressEmitter.subscribe(listener)
      listener(currentProgress)
      return unsubscribe
    },
    get isClosed() {
      return isModelClosed
    },
    /** After this call, the state does not change and no listener is called. */
    close() {
      isModelClosed = true
    },
  }
}

export type EngineModel = ReturnType<typeof createEngineModel>
