import { observeWindowOffset, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

type Options = Omit<Parameters<typeof useWindowVirtualizer<Element>>[0], 'scrollMargin' | 'observeElementOffset'>

/** Returns a virtualizer for the rows of `list`, which scrolls with the page, and the offset of the list in the page in pixels. */
export function usePageVirtualizer(
  list: RefObject<HTMLElement | null>,
  options: Options,
): { virtualizer: Virtualizer<Window, Element>; offsetPx: number } {
  const [offsetPx, setOffsetPx] = useState(0)

  useLayoutEffect(() => {
    const measureOffset = () => list.current && setOffsetPx(list.current.getBoundingClientRect().top + window.scrollY)
    measureOffset()
    const observer = new ResizeObserver(measureOffset)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])

  const virtualizer = useWindowVirtualizer<Element>({
    ...options,
    scrollMargin: offsetPx,
    // Reads the scroll offset when the observation starts, because scroll events are missed while the page is hidden during a navigation.
    observeElementOffset(instance, report) {
      const stop = observeWindowOffset(instance, report)
      report(window.scrollY, false)
      return stop
    },
  })
  return { virtualizer, offsetPx }
}
