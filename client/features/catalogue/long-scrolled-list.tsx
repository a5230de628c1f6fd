import { useVirtualizer } from '@tanstack/react-virtual'
import { type LongListProps, LongRows, useRowWindow } from './long-rows.tsx'

/** As `LongSongList`, in a box that scrolls by itself. */
export function LongScrolledList({ box, ...props }: LongListProps & { box: Element | null }) {
  const rowWindow = useRowWindow(props.songs, props.label)
  const virtualizer = useVirtualizer({ ...rowWindow.options, overscan: 8, getScrollElement: () => box })
  return <LongRows {...props} rowWindow={rowWindow} virtualizer={virtualizer} />
}
