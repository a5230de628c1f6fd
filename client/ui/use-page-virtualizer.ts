import { defaultRangeExtractor, type Range, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useDeferredValue, useLayoutEffect, useMemo, useState } from 'react'
import { addListener } from '../primitives/scope.ts'
import { useNoPointerWhileScrolling } from './use-no-pointer-while-scrolling.ts'

type PageVirtualizerOptions = Omit<Parameters<typeof useWindowVirtualizer<Element>>[0], 'scrollMargin' | 'observeElementOffset'>

const ROWS_PER_STEP = 2

/** Returns the rows to render, extended to multiples of ROWS_PER_STEP, so that a fast scroll does not render rows in every frame. */
export const extractSteppedRange = (range: Range): number[] =>
  defaultRangeExtractor({
    ...range,
    startIndex: Math.floor(range.startIndex / ROWS_PER_STEP) * ROWS_PER_STEP,
    endIndex: Math.min(range.count - 1, Math.ceil((range.endIndex + 1) / ROWS_PER_STEP) * ROWS_PER_STEP - 1),
  })

/** Returns a virtualizer for the rows of `listRef`, which scrolls with the page. */
export function usePageVirtualizer(listRef: RefObject<HTMLElement | null>, options: PageVirtualizerOptions): Virtualizer<Window, Element> {
  const [listTopPx, setListTopPx] = useState(0)
  useNoPointerWhileScrolling(listRef)

  useLayoutEffect(() => {
    const measureOffset = () => listRef.current && setListTopPx(listRef.current.getBoundingClientRect().top + window.scrollY)
    measureOffset()
    const observer = new ResizeObserver(measureOffset)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [listRef])

  return useWindowVirtualizer<Element>({
    rangeExtractor: extractSteppedRange,
    // Rows are rendered by React's scheduler, because rendering them synchronously in each scroll event delays the frame.
    useFlushSync: false,
    ...options,
    scrollMargin: listTopPx,
    // Reports that the page does not scroll, because the start and the end of each scroll would render the list again.
    observeElementOffset(_, report) {
      const reportOffset = () => report(window.scrollY, false)
      // Reports the current offset first, because scroll events are missed while the page is hidden during a navigation.
      reportOffset()
      return addListener(window, 'scroll', reportOffset, { passive: true })
    },
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
