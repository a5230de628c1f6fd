import { observeWindowOffset, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useState } from 'react'
import { type LongListProps, LongRows, useRowWindow } from './long-rows.tsx'

/** A list that holds only the rows near the view, and scrolls with the page. */
export function LongSongList(props: LongListProps) {
  const rowWindow = useRowWindow(props.songs, props.label)
  const { list } = rowWindow
  const [top, setTop] = useState(0)

  useLayoutEffect(() => {
    const measure = () => list.current && setTop(list.current.getBoundingClientRect().top + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])

  const virtualizer = useWindowVirtualizer({
    ...rowWindow.options,
    scrollMargin: top,
    // A list that is hidden while another page is on its way hears of no scrolling: it asks when it is shown again.
    observeElementOffset(instance, report) {
      const stop = observeWindowOffset(instance, report)
      report(window.scrollY, false)
      return stop
    },
  })
  return <LongRows {...props} rowWindow={rowWindow} virtualizer={virtualizer} top={top} />
}
