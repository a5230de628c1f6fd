import { type RefObject, useEffect } from 'react'
import { createCleanupScope } from '../primitives/scope.ts'

/** The milliseconds from the last scroll event until the list takes pointer events again. */
const SCROLL_END_MS = 100

/**
 * Sets `pointer-events: none` on a list while a scroll moves it below a resting mouse. Otherwise each frame of the scroll hovers another row, and in a
 * long list on a slow device the hit test, the events and the `:hover` styles take as long as rendering the rows. The list takes pointer events again as
 * soon as the mouse moves.
 */
export function useNoPointerEventsWhileScrolling(listRef: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // Without a mouse nothing is hovered, and a tap soon after a scroll must reach the list.
    if (!matchMedia('(hover: hover)').matches) return
    const scope = createCleanupScope()
    let scrolledList: HTMLElement | undefined
    let cancelTimeout = () => {}
    const endScroll = () => {
      cancelTimeout()
      scrolledList?.style.removeProperty('pointer-events')
      scrolledList = undefined
    }
    scope.add(endScroll)
    const continueScroll = ({ target }: Event) => {
      const list = listRef.current
      // A list that is pressed stays below the mouse, so that the press becomes a click.
      if (!list || !(target instanceof Node) || !target.contains(list) || list.matches(':active')) return
      if (!scrolledList) list.style.pointerEvents = 'none'
      scrolledList = list
      cancelTimeout()
      cancelTimeout = scope.timeout(endScroll, SCROLL_END_MS)
    }
    // Scroll events of elements do not bubble, so they are captured.
    scope.listen(document, 'scroll', continueScroll, { passive: true, capture: true })
    // The browser also dispatches events of a resting mouse, below which the page moved.
    scope.listen(document, 'pointermove', ({ movementX, movementY }) => (movementX || movementY) && endScroll(), { passive: true })
    return scope.dispose
  }, [listRef])
}
