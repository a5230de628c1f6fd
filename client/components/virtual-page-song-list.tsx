import { usePageVirtualizer } from '../ui/use-page-virtualizer.ts'
import { useVirtualRows, type VirtualListProps, VirtualListRows } from './virtual-rows.tsx'

/** A virtualized song list that scrolls with the page. */
export function VirtualPageSongList(props: VirtualListProps) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  const { virtualizer, offsetPx } = usePageVirtualizer(virtualRows.list, virtualRows.options)
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} offsetPx={offsetPx} />
}
