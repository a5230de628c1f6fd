import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { Engine, EngineState, Position, Progress } from '../../engine/engine.ts'
import { useServices } from '../../hooks/services.tsx'

export type * from '../../engine/engine.ts'

export type MakerState =
  | { readonly state: 'opening' }
  | { readonly state: 'failed'; retry(): void }
  | { readonly state: 'open'; readonly engine: Engine }

/** Loads the maker's engine. The engine is loaded once per page. */
export function useMaker(): MakerState {
  const { openEngine } = useServices()
  const [makerState, setMaker] = useState<MakerState>({ state: 'opening' })
  const [attemptCount, setAttemptCount] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again.
  useEffect(() => {
    let isEngineStale = false
    setMaker({ state: 'opening' })
    openEngine().then(
      (engine) => !isEngineStale && setMaker({ state: 'open', engine }),
      () => !isEngineStale && setMaker({ state: 'failed', retry: () => setAttemptCount((count) => count + 1) }),
    )
    return () => {
      isEngineStale = true
    }
  }, [openEngine, attemptCount])
  return makerState
}

export const useEngineState = (engine: Engine): EngineState => useSyncExternalStore(engine.subscribe, engine.getSnapshot)

/** Calls `listener` with the playback position during playback, without rendering: the listener writes to the DOM. */
export const useMakerPosition = (engine: Engine, listener: (position: Position) => void): void =>
  useLatestListener(engine.onPosition, listener)

const PROGRESS_REPORT_INTERVAL_MS = 250

/**
 * Calls `listener` with the progress of loads and exports, without rendering: the listener writes to the DOM. The listener is called at
 * most four times a second, because each paint takes processor time from the load or export. The end of a load or export is reported
 * immediately.
 */
export function useMakerProgress(engine: Engine, listener: (progress: Progress) => void): void {
  const lastReport = useRef({ atMs: 0, count: 0 })
  useLatestListener(engine.onProgress, (newProgress) => {
    const runningTaskCount = Object.values(newProgress).filter((each) => each !== undefined).length
    const nowMs = performance.now()
    if (runningTaskCount === lastReport.current.count && nowMs - lastReport.current.atMs < PROGRESS_REPORT_INTERVAL_MS) return
    lastReport.current = { atMs: nowMs, count: runningTaskCount }
    listener(newProgress)
  })
}

/** Subscribes once, and calls the listener of the latest render. */
function useLatestListener<Value>(
  subscribeToEngine: (listener: (value: Value) => void) => () => void,
  listener: (value: Value) => void,
): void {
  const notify = useEffectEvent(listener)
  useEffect(() => subscribeToEngine((value) => notify(value)), [subscribeToEngine])
}
