import { useEffect, useEffectEvent } from 'react'
import { whenIdle } from '../../platform/idle.ts'

/** Calls `listener` when the page is idle after `isReady` has become true. */
export function useWhenIdle(isReady: boolean, listener: () => void): void {
  const notify = useEffectEvent(listener)
  useEffect(() => {
    if (!isReady) return
    let isStale = false
    void whenIdle().then(() => !isStale && notify())
    return () => {
      isStale = true
    }
  }, [isReady])
}
