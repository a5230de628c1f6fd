import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Engine, EngineState, Position } from '../engine/engine.ts'
import { useServices } from './services.tsx'

export type * from '../engine/engine.ts'

export type Maker =
  | { readonly state: 'opening' }
  | { readonly state: 'failed'; retry(): void }
  | { readonly state: 'open'; readonly engine: Engine }

/** The maker's engine, which is fetched when it is first wanted and lives as long as the page. */
export function useMaker(): Maker {
  const { openEngine } = useServices()
  const [maker, setMaker] = useState<Maker>({ state: 'opening' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is why it is tried again.
  useEffect(() => {
    let left = false
    setMaker({ state: 'opening' })
    openEngine().then(
      (engine) => !left && setMaker({ state: 'open', engine }),
      () => !left && setMaker({ state: 'failed', retry: () => setAttempt((count) => count + 1) }),
    )
    return () => {
      left = true
    }
  }, [openEngine, attempt])
  return maker
}

export const useEngineState = (engine: Engine): EngineState => useSyncExternalStore(engine.subscribe, engine.getSnapshot)

/** Calls `listener` with the position while it plays, outside React's state: the listener writes to the DOM itself. */
export function useMakerPosition(engine: Engine, listener: (position: Position) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => engine.onPosition((position) => latest.current(position)), [engine])
}
