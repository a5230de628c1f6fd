import { useVirtualizer } from '@tanstack/react-virtual'
import { useVirtualRows, type VirtualListProps, VirtualListRows } from './virtual-rows.tsx'

/** A virtualized song list in a scroll container of its own. */
export function VirtualBoxSongList({ scrollBox, ...props }: VirtualListProps & { scrollBox: Element | null }) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  const virtualizer = useVirtualizer({ ...virtualRows.options, overscan: 8, getScrollElement: () => scrollBox })
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} />
}
