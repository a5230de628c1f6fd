import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useDeferredValue, useLayoutEffect, useMemo, useState } from 'react'
import { addListener } from '../primitives/scope.ts'
import { useNoPointerEventsWhileScrolling } from './use-no-pointer-events-while-scrolling.ts'

type PageVirtualizerOptions = Omit<Parameters<typeof useWindowVirtualizer<Element>>[0], 'scrollMargin' | 'observeElementOffset'>

/** The distance in pixels that is scrolled until other rows are rendered. It is less than the height of the rows rendered above the viewport. */
const STEP_PX = 150

type ObserveOffset = (
  virtualizer: { scrollElement: Element | Window | null },
  report: (offsetPx: number, isScrolling: boolean) => void,
) => () => void

/**
 * Reports the offset after each STEP_PX, because a report that changes the visible rows renders the list. It always reports that nothing scrolls, because
 * otherwise the start and the end of a scroll would render the list, too.
 */
export const observeOffsetInSteps: ObserveOffset = ({ scrollElement }, report) => {
  if (!scrollElement) return () => {}
  const readOffsetPx = () => (scrollElement instanceof Window ? scrollElement.scrollY : scrollElement.scrollTop)
  // Reports the current offset first, because scroll events are missed while the page is hidden during a navigation.
  let reportedPx = readOffsetPx()
  report(reportedPx, false)
  const reportStep = () => {
    const offsetPx = readOffsetPx()
    if (Math.abs(offsetPx - reportedPx) < STEP_PX) return
    reportedPx = offsetPx
    report(offsetPx, false)
  }
  return addListener(scrollElement, 'scroll', reportStep, { passive: true })
}

/** Returns a virtualizer for the rows of `listRef`, which scrolls with the page. */
export function usePageVirtualizer(listRef: RefObject<HTMLElement | null>, options: PageVirtualizerOptions): Virtualizer<Window, Element> {
  const [listTopPx, setListTopPx] = useState(0)
  useNoPointerEventsWhileScrolling(listRef)

  useLayoutEffect(() => {
    const measureOffset = () => listRef.current && setListTopPx(listRef.current.getBoundingClientRect().top + window.scrollY)
    measureOffset()
    const observer = new ResizeObserver(measureOffset)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [listRef])

  return useWindowVirtualizer<Element>({
    // Rows are rendered by React's scheduler, because rendering them synchronously in each scroll event delays the frame.
    useFlushSync: false,
    ...options,
    scrollMargin: listTopPx,
    observeElementOffset: observeOffsetInSteps,
  })
}

/**
 * Returns the indexes of the rows to render as a deferred value, so that mounting rows does not delay the frames of a scroll. The array stays the same
 * until other rows are near the viewport.
 */
export function useDeferredIndexes(virtualizer: Pick<Virtualizer<Window, Element>, 'getVirtualItems'>): readonly number[] {
  const indexes = virtualizer.getVirtualItems().map(({ index }) => index)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the indexes are compared by value.
  return useDeferredValue(useMemo(() => indexes, [indexes.join()]))
}
