import { useEffect, useState } from 'react'
import { addListener, createCleanupScope } from '../../primitives/scope.ts'

/** Returns whether the page is scrolled by more than `offsetPx`. Always false if the media query `mediaQuery` does not match. */
export function useScrolledPast(offsetPx: number, mediaQuery = 'all'): boolean {
  const [isScrolledPast, setIsScrolledPast] = useState(false)
  useEffect(() => {
    const scope = createCleanupScope()
    const mediaQueryList = matchMedia(mediaQuery)
    const readPosition = () => setIsScrolledPast(scrollY > offsetPx && mediaQueryList.matches)
    // The position is read in a frame and never in a render, where it would force a layout.
    const frame = requestAnimationFrame(readPosition)
    scope.add(() => cancelAnimationFrame(frame))
    scope.listen(mediaQueryList, 'change', readPosition)
    scope.listen(window, 'scroll', readPosition, { passive: true })
    return scope.dispose
  }, [offsetPx, mediaQuery])
  return isScrolledPast
}

/** Returns whether the page has not been scrolled for `idleMs` milliseconds. */
export function useIsScrollIdle(idleMs: number): boolean {
  const [isScrollResting, setIsScrollResting] = useState(false)
  useEffect(() => {
    let idleTimer = setTimeout(() => setIsScrollResting(true), idleMs)
    const onScroll = () => {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => setIsScrollResting(true), idleMs)
      setIsScrollResting(false)
    }
    const stopListening = addListener(window, 'scroll', onScroll, { passive: true })
    return () => {
      stopListening()
      clearTimeout(idleTimer)
    }
  }, [idleMs])
  return isScrollResting
}
