import { useEffect } from 'react'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { ENDLESS_KEY } from '../../player/playback-session-store.ts'
import { addListener } from '../../primitives/scope.ts'

/**
 * Returns whether related songs follow the last song of the queue, and the function that changes this setting. A change in another tab also takes
 * effect in this tab.
 */
export function useEndless(): { endless: boolean; setEndless: (endless: boolean) => void } {
  const { setEndless } = usePlayer()
  const isEndless = usePlayerState((state) => state.endless)
  useEffect(
    () =>
      addListener(window, 'storage', ({ key, newValue }) => {
        if (key === ENDLESS_KEY) setEndless(newValue !== null, true)
      }),
    [setEndless],
  )
  return { endless: isEndless, setEndless }
}
