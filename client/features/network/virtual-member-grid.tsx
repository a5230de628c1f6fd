import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Member } from '../../../contract/community.ts'
import { useDeferredIndexes, usePageVirtualizer } from '../../ui/use-page-virtualizer.ts'
import styles from './member-grid.module.css'
import { MemberTile } from './member-tile.tsx'

export interface MemberGridProps {
  members: readonly Member[]
  label: string
  onOpen: (channelId: string) => void
}

/**
 * A grid of members that renders only the rows near the viewport and the row with the focus. The tracks of the grid reserve the space of the other
 * rows.
 */
export function VirtualMemberGrid({ members, label, onOpen }: MemberGridProps) {
  const listElement = useRef<HTMLUListElement>(null)
  const { columnCount, rowPx, rowCount } = useGridTracks(listElement, members.length)
  const [focusedRow, setFocusedRow] = useState<number>()
  const virtualizer = usePageVirtualizer(listElement, {
    count: rowCount,
    // The functions are memoized, because the virtualizer recomputes all positions when one of them changes.
    estimateSize: useCallback(() => rowPx, [rowPx]),
    overscan: 6,
    rangeExtractor: useCallback(
      (range: Range) => {
        const rowIndexes = defaultRangeExtractor(range)
        return focusedRow === undefined || focusedRow >= range.count || rowIndexes.includes(focusedRow)
          ? rowIndexes
          : [...rowIndexes, focusedRow].sort((a, b) => a - b)
      },
      [focusedRow],
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the positions depend on the row height.
  useLayoutEffect(() => virtualizer.measure(), [rowPx])
  const renderedRowIndexes = useDeferredIndexes(virtualizer)
  const findRow = (element: Element | null) => {
    const index = element?.closest('li[data-index]')?.getAttribute('data-index')
    return index === null || index === undefined ? undefined : Math.floor(Number(index) / columnCount)
  }

  return (
    <ul
      ref={listElement}
      className={styles.grid}
      aria-label={label}
      style={{ gridTemplateRows: `repeat(${rowCount}, var(--tile-row))` }}
      onFocus={({ target }) => setFocusedRow(findRow(target))}
      onBlur={({ relatedTarget }) => {
        // The row whose tile opened a dialog stays in the document, because the dialog returns the focus to this tile.
        if (!relatedTarget?.closest('dialog')) setFocusedRow(findRow(relatedTarget))
      }}
    >
      <Tiles rowIndexes={renderedRowIndexes} columnCount={columnCount} members={members} onOpen={onOpen} />
    </ul>
  )
}

interface TilesProps extends Pick<MemberGridProps, 'members' | 'onOpen'> {
  rowIndexes: readonly number[]
  columnCount: number
}

const Tiles = memo(function Tiles({ rowIndexes, columnCount: columns, members, onOpen }: TilesProps) {
  return rowIndexes.flatMap((row) =>
    members
      .slice(row * columns, (row + 1) * columns)
      .map((member, column) => (
        <MemberTile
          key={member.channel_id}
          member={member}
          index={row * columns + column}
          memberCount={members.length}
          onOpen={onOpen}
          gridRow={row + 1}
        />
      )),
  )
})

interface GridTracks {
  columnCount: number
  rowPx: number
}

/** Measures the tracks of the grid, which depend on its width and on the size of text. */
function useGridTracks(listRef: RefObject<HTMLUListElement | null>, memberCount: number): GridTracks & { rowCount: number } {
  const [{ columnCount: columns, rowPx }, setGridTracks] = useState<GridTracks>({ columnCount: 3, rowPx: 136 })
  const rowCount = Math.ceil(memberCount / columns)
  useLayoutEffect(() => {
    const gridElement = listRef.current
    if (!gridElement) return
    const measureGridTracks = () => {
      const columnCount = getComputedStyle(gridElement).gridTemplateColumns.split(' ').length
      const heightPx = gridElement.getBoundingClientRect().height / rowCount
      setGridTracks((tracks) =>
        tracks.columnCount === columnCount && Math.abs(tracks.rowPx - heightPx) < 0.01 ? tracks : { columnCount, rowPx: heightPx },
      )
    }
    measureGridTracks()
    const observer = new ResizeObserver(measureGridTracks)
    observer.observe(gridElement)
    return () => observer.disconnect()
  }, [listRef, rowCount])
  return { columnCount: columns, rowPx, rowCount }
}
