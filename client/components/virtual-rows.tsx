import { type Range, useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { classNames } from '../ui/class-names.ts'
import { extractSteppedRange, usePageVirtualizer } from '../ui/use-page-virtualizer.ts'
import { areMostLengthsUnknown } from './song-lengths.ts'
import styles from './song-list.module.css'
import { SongRow, type SongRowProps } from './song-row.tsx'

type RowProps = Omit<SongRowProps, 'topPx'>

export interface VirtualListProps {
  songs: readonly Song[]
  label: string
  rowProps: (song: Song, index: number) => RowProps
}

/** The state of a virtualized list that does not depend on its scroll container. */
export interface VirtualRows {
  list: RefObject<HTMLOListElement | null>
  rowPx: number
  setRowPx: (height: number) => void
  setFocusedIndex: (index: number | undefined) => void
  /** The options of `useVirtualRows` that are passed to TanStack Virtual's virtualizer. */
  options: {
    count: number
    estimateSize: () => number
    getItemKey: (index: number) => string | number
    overscan: number
    useFlushSync: boolean
    rangeExtractor: (range: Range) => number[]
  }
}

function useVirtualRows(songs: readonly Song[], label: string): VirtualRows {
  const listElement = useRef<HTMLOListElement>(null)
  const keys = useMemo(() => rowKeysOf(songs), [songs])
  const [focusedIndex, setFocusedIndex] = useState<number>()
  const [rowPx, setRowPx] = useState(() => plainRowHeightPx(label) ?? minRowHeightPx())
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = extractSteppedRange(range)
      if (focusedIndex === undefined || focusedIndex >= range.count || rows.includes(focusedIndex)) return rows
      return focusedIndex < (rows[0] ?? 0) ? [focusedIndex, ...rows] : [...rows, focusedIndex]
    },
    [focusedIndex],
  )
  return {
    list: listElement,
    rowPx,
    setRowPx,
    setFocusedIndex,
    options: {
      count: songs.length,
      // The functions among the options are memoized, because the virtualizer recomputes all positions when one of them changes.
      estimateSize: useCallback(() => rowPx, [rowPx]),
      getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
      overscan: 12,
      // The virtualizer must not flush synchronously, because the rows are rendered with `useDeferredValue`.
      useFlushSync: false,
      rangeExtractor,
    },
  }
}

interface VirtualListRowsProps<S extends Window | Element> extends VirtualListProps {
  virtualRows: VirtualRows
  virtualizer: Virtualizer<S, Element>
  /** The offset of the list in its scroll container, in pixels. */
  offsetPx?: number
}

/** A list that renders only the rows near the viewport, absolutely positioned. */
function VirtualListRows<S extends Window | Element>({
  songs,
  label,
  rowProps,
  virtualRows,
  virtualizer,
  offsetPx = 0,
}: VirtualListRowsProps<S>) {
  const { list, rowPx, setRowPx, setFocusedIndex } = virtualRows
  const isLengthless = useMemo(() => areMostLengthsUnknown(songs), [songs])
  const items = virtualizer.getVirtualItems()
  const firstKey = items[0]?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items are compared by index and position.
  const rows = useMemo(() => items, [items.map(({ index }) => index).join(), items[0]?.start])
  // All rows have the same height, which depends on the font size of the browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first row is replaced while the list scrolls.
  useLayoutEffect(() => {
    const row = list.current?.firstElementChild
    if (!row) return
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0
      // Checks for a change first, because setting a state to its current value can still cause one more render.
      if (height > 0 && height !== rowPx) setRowPx(height)
    })
    observer.observe(row)
    return () => observer.disconnect()
  }, [firstKey, rowPx])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the positions depend on the row height.
  useLayoutEffect(() => virtualizer.measure(), [rowPx])

  return (
    <ol
      ref={list}
      className={classNames(styles.long, isLengthless && styles.lengthless)}
      aria-label={label}
      style={{ height: virtualizer.getTotalSize(), backgroundSize: `100% ${rowPx}px` }}
      onFocus={(event) => setFocusedIndex(rowIndexOf(event.target))}
      onBlur={(event) => setFocusedIndex(event.relatedTarget instanceof Element ? rowIndexOf(event.relatedTarget) : undefined)}
    >
      <RenderedRows rows={useDeferredValue(rows)} songs={songs} offsetPx={offsetPx} rowProps={rowProps} />
    </ol>
  )
}

interface RenderedRowsProps extends Pick<VirtualListProps, 'songs' | 'rowProps'> {
  rows: readonly VirtualItem[]
  offsetPx: number
}

const RenderedRows = memo(function RenderedRows({ rows, songs, offsetPx, rowProps }: RenderedRowsProps) {
  return rows.map((virtualRow) => {
    const song = songs[virtualRow.index]
    return song && <SongRow key={virtualRow.key} {...rowProps(song, virtualRow.index)} topPx={virtualRow.start - offsetPx} />
  })
})

/** Returns a key for each row: the song's id, or the index if an earlier row has the same song. */
function rowKeysOf(songs: readonly Song[]): (string | number)[] {
  const songIds = new Set<string>()
  return songs.map(({ youtube_id }, index) => (songIds.has(youtube_id) || !songIds.add(youtube_id) ? index : youtube_id))
}

/** Returns the index of the row that contains an element. */
function rowIndexOf(element: Element): number | undefined {
  const index = element.closest('li[data-index]')?.getAttribute('data-index')
  return index === null || index === undefined ? undefined : Number(index)
}

/** Returns the height of the rows of the plain list that this list replaces, so that the replacement causes no layout shift. */
function plainRowHeightPx(label: string): number | undefined {
  const row = document.querySelector(`ol[aria-label="${CSS.escape(label)}"] > li[data-index]`)
  return row?.getBoundingClientRect().height || undefined
}

/** Returns the minimum height of a row, from the design token. */
function minRowHeightPx(): number {
  const height = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  return Number.isFinite(height) ? height : 76
}

/** A virtualized song list in a scroll container of its own. */
export function VirtualSongListInScrollBox({ scrollBox, ...props }: VirtualListProps & { scrollBox: Element | null }) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  const virtualizer = useVirtualizer({ ...virtualRows.options, overscan: 8, getScrollElement: () => scrollBox })
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} />
}

/** A virtualized song list that scrolls with the page. */
export function VirtualSongListInPage(props: VirtualListProps) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  const { virtualizer, offsetPx } = usePageVirtualizer(virtualRows.list, virtualRows.options)
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} offsetPx={offsetPx} />
}
