import { observeWindowOffset, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useState } from 'react'
import { useVirtualRows, type VirtualListProps, VirtualListRows } from './virtual-rows.tsx'

/** A virtualized song list that scrolls with the page. */
export function VirtualPageSongList(props: VirtualListProps) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  const { list } = virtualRows
  const [offsetPx, setOffsetPx] = useState(0)

  useLayoutEffect(() => {
    const measureOffset = () => list.current && setOffsetPx(list.current.getBoundingClientRect().top + window.scrollY)
    measureOffset()
    const observer = new ResizeObserver(measureOffset)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])

  const virtualizer = useWindowVirtualizer({
    ...virtualRows.options,
    scrollMargin: offsetPx,
    // While the page is hidden during a navigation, scroll events are missed, so the offset is read when the observation starts.
    observeElementOffset(instance, report) {
      const stop = observeWindowOffset(instance, report)
      report(window.scrollY, false)
      return stop
    },
  })
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} offsetPx={offsetPx} />
}
