import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { createScope, listen } from '../../primitives/scope.ts'

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

/** Returns whether the page has not been scrolled for `ms` milliseconds. */
export function useIsScrollIdle(ms: number): boolean {
  const [isResting, setResting] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setResting(true), ms)
    const onScroll = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setResting(true), ms)
      setResting(false)
    }
    const unlisten = listen(window, 'scroll', onScroll, { passive: true })
    return () => {
      unlisten()
      clearTimeout(timer)
    }
  }, [ms])
  return isResting
}
