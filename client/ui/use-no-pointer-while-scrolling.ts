import { type RefObject, useEffect } from 'react'
import { createCleanupScope } from '../primitives/scope.ts'

/** The milliseconds from the last scroll event until the list takes pointer events again. */
const SCROLL_END_MS = 100

/**
 * Sets `pointer-events: none` on a list while a scroll moves it. Otherwise each frame of the scroll moves another row below a resting mouse, and the
 * search for that row, its events and its `:hover` styles take half of the time of the frame.
 */
export function useNoPointerWhileScrolling(listRef: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const scope = createCleanupScope()
    const setPointerEvents = (value: '' | 'none') => {
      if (listRef.current) listRef.current.style.pointerEvents = value
    }
    scope.add(() => setPointerEvents(''))
    let cancelEnd: (() => void) | undefined
    const endScroll = () => {
      cancelEnd = undefined
      setPointerEvents('')
    }
    const continueScroll = ({ target }: Event) => {
      if (!(target instanceof Node) || !target.contains(listRef.current)) return
      if (cancelEnd) cancelEnd()
      else setPointerEvents('none')
      cancelEnd = scope.timeout(endScroll, SCROLL_END_MS)
    }
    // Scroll events of elements do not bubble, so they are captured.
    scope.listen(document, 'scroll', continueScroll, { passive: true, capture: true })
    return scope.dispose
  }, [listRef])
}
