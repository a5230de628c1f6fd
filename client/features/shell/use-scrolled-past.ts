import { useCallback, useSyncExternalStore } from 'react'
import { createScope } from '../../primitives/scope.ts'

/** Returns whether the page is scrolled by more than `px`. Always false if the media query `mediaQuery` does not match. */
export function useScrolledPast(px: number, mediaQuery = 'all'): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const scope = createScope()
      scope.listen(matchMedia(mediaQuery), 'change', listener)
      scope.listen(window, 'scroll', listener, { passive: true })
      return scope.dispose
    },
    [mediaQuery],
  )
  return useSyncExternalStore(
    subscribe,
    () => scrollY > px && matchMedia(mediaQuery).matches,
    () => false,
  )
}
