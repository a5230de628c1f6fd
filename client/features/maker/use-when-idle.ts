import { useEffect, useEffectEvent } from 'react'
import { waitUntilIdle } from '../../platform/idle.ts'

/** Calls `listener` when the page is idle after `isReady` has become true. */
export function useWhenIdle(isReady: boolean, listener: () => void): void {
  const notifyListener = useEffectEvent(listener)
  useEffect(() => {
    if (!isReady) return
    let isWaitStale = false
    void waitUntilIdle().then(() => !isWaitStale && notifyListener())
    return () => {
      isWaitStale = true
    }
  }, [isReady])
}
