import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Engine, MakerSettings } from '../../engine/engine.ts'
import { useServices } from '../../hooks/services.tsx'

export interface MakerSample {
  /** `undefined` until the first call of `play` has loaded the engine and the sample. */
  readonly engine: Engine | undefined
  readonly status: 'closed' | 'opening' | 'open' | 'failed'
  readonly isPlaying: boolean
  /** Plays the sample with these settings, and loads it first if necessary. The first call must be in a user gesture. */
  play(settings: MakerSettings): Promise<void>
  pause(): void
}

const subscribeToNothing = () => () => {}

/** Returns a player of the maker's built-in sample, which needs no subscription. The sample is released on unmount. */
export function useMakerSample(): MakerSample {
  const { openSampleEngine } = useServices()
  const [engine, setEngine] = useState<Engine>()
  const [sampleStatus, setStatus] = useState<MakerSample['status']>('closed')
  const openingEngine = useRef<Promise<Engine>>(undefined)
  const latestSettings = useRef<MakerSettings>(undefined)
  const isPlaying = useSyncExternalStore(
    engine?.subscribe ?? subscribeToNothing,
    () => engine?.getSnapshot().isPlaying ?? false,
    () => false,
  )
  useEffect(
    () => () => {
      openingEngine.current?.then((openedEngine) => openedEngine.dispose()).catch(() => {})
    },
    [],
  )

  const openEngine = () => {
    if (openingEngine.current !== undefined) return openingEngine.current
    setStatus('opening')
    const newEngine = openSampleEngine()
    openingEngine.current = newEngine
    newEngine.then(setEngine, () => {
      // The next call of `play` tries to load the sample again.
      openingEngine.current = undefined
    })
    return newEngine
  }
  return {
    engine,
    status: sampleStatus,
    isPlaying,
    async play(settings) {
      latestSettings.current = settings
      try {
        const openedEngine = await openEngine()
        // If `play` was called with other settings while the sample was loading, only the latest call starts playback.
        if (latestSettings.current !== settings) return
        openedEngine.changeSettings(settings)
        await openedEngine.play()
        setStatus('open')
      } catch {
        setStatus('failed')
      }
    },
    pause: () => engine?.pause(),
  }
}
