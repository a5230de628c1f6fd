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
  const [maker, setMaker] = useState<MakerState>({ state: 'opening' })
  const [attemptCount, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again.
  useEffect(() => {
    let isStale = false
    setMaker({ state: 'opening' })
    openEngine().then(
      (engine) => !isStale && setMaker({ state: 'open', engine }),
      () => !isStale && setMaker({ state: 'failed', retry: () => setAttempt((count) => count + 1) }),
    )
    return () => {
      isStale = true
    }
  }, [openEngine, attemptCount])
  return maker
}

export const useEngineState = (engine: Engine): EngineState => useSyncExternalStore(engine.subscribe, engine.getSnapshot)

/** Calls `listener` with the playback position during playback, without rendering: the listener writes to the DOM. */
export const useMakerPosition = (engine: Engine, listener: (position: Position) => void): void =>
  useLatestListener(engine.onPosition, listener)

const PROGRESS_PERIOD_MS = 250

/**
 * Calls `listener` with the progress of loads and exports, without rendering: the listener writes to the DOM. The listener is called at
 * most four times a second, because each paint takes processor time from the load or export. The end of a load or export is reported
 * immediately.
 */
export function useMakerProgress(engine: Engine, listener: (progress: Progress) => void): void {
  const lastReport = useRef({ atMs: 0, count: 0 })
  useLatestListener(engine.onProgress, (progress) => {
    const runningCount = Object.values(progress).filter((each) => each !== undefined).length
    const nowMs = performance.now()
    if (runningCount === lastReport.current.count && nowMs - lastReport.current.atMs < PROGRESS_PERIOD_MS) return
    lastReport.current = { atMs: nowMs, count: runningCount }
    listener(progress)
  })
}

/** Subscribes once, and calls the listener of the latest render. */
function useLatestListener<Value>(subscribe: (listener: (value: Value) => void) => () => void, listener: (value: Value) => void): void {
  const notify = useEffectEvent(listener)
  useEffect(() => subscribe((value) => notify(value)), [subscribe])
}
