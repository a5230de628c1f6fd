import { useEffect, useState } from 'react'
import { createScope, listen } from '../../primitives/scope.ts'

/** Returns whether the page is scrolled by more than `px`. Always false if the media query `mediaQuery` does not match. */
export function useScrolledPast(px: number, mediaQuery = 'all'): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    const scope = createScope()
    const media = matchMedia(mediaQuery)
    const readPosition = () => setPast(scrollY > px && media.matches)
    // The position is read in a frame and never in a render, where it would force a layout.
    const frame = requestAnimationFrame(readPosition)
    scope.add(() => cancelAnimationFrame(frame))
    scope.listen(media, 'change', readPosition)
    scope.listen(window, 'scroll', readPosition, { passive: true })
    return scope.dispose
  }, [px, mediaQuery])
  return isPast
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
    const stopListening = listen(window, 'scroll', onScroll, { passive: true })
    return () => {
      stopListening()
      clearTimeout(timer)
    }
  }, [ms])
  return isResting
}
