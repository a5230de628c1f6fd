import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { classNames } from '../ui/class-names.ts'
import { formatPlural } from '../ui/format.ts'
import { useIsPrinting } from '../ui/use-is-printing.ts'
import { useNoPointerEventsWhileScrolling } from '../ui/use-no-pointer-events-while-scrolling.ts'
import { observeOffsetInSteps, useDeferredIndexes, usePageVirtualizer } from '../ui/use-page-virtualizer.ts'
import { areMostLengthsUnknown } from './song-lengths.ts'
import styles from './song-list.module.css'
import { SongRow, type SongRowProps } from './song-row.tsx'

/** The maximum number of rows that are printed. More of them would keep the browser busy for too long before the dialog of the printer opens. */
const PRINTED_ROWS_MAX = 5_000

type RowProps = Omit<SongRowProps, 'topPx'>

export interface VirtualListProps {
  songs: readonly Song[]
  label: string
  rowProps: (song: Song, index: number) => RowProps
}

/** The state of a virtualized list that does not depend on its scroll container. */
export interface VirtualRows {
  list: RefObject<HTMLOListElement | null>
  /** The key of each row: the song's id, or the index if an earlier row has the same song. */
  keys: readonly (string | number)[]
  rowPx: number
  setRowPx: (height: number) => void
  setFocusedIndex: (index: number | undefined) => void
  /** The options of `useVirtualRows` that are passed to TanStack Virtual's virtualizer. */
  options: {
    count: number
    estimateSize: () => number
    overscan: number
    useFlushSync: boolean
    rangeExtractor: (range: Range) => number[]
  }
}

function useVirtualRows(songs: readonly Song[], listLabel: string): VirtualRows {
  const listElement = useRef<HTMLOListElement>(null)
  const rowKeys = useMemo(() => createRowKeys(songs), [songs])
  const [focusedIndex, setFocusedIndex] = useState<number>()
  const [rowPx, setRowPx] = useState(() => measurePlainRowPx(listLabel) ?? readMinRowPx())
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(range)
      if (focusedIndex === undefined || focusedIndex >= range.count || rows.includes(focusedIndex)) return rows
      return focusedIndex < (rows[0] ?? 0) ? [focusedIndex, ...rows] : [...rows, focusedIndex]
    },
    [focusedIndex],
  )
  return {
    list: listElement,
    keys: rowKeys,
    rowPx,
    setRowPx,
    setFocusedIndex,
    options: {
      count: songs.length,
      // The functions among the options are memoized, because the virtualizer recomputes all positions when one of them changes.
      estimateSize: useCallback(() => rowPx, [rowPx]),
      overscan: 8,
      // The virtualizer must not flush synchronously, because the rows are rendered from deferred indexes.
      useFlushSync: false,
      rangeExtractor,
    },
  }
}

interface VirtualListRowsProps<S extends Window | Element> extends VirtualListProps {
  virtualRows: VirtualRows
  virtualizer: Virtualizer<S, Element>
}

/** A list that renders only the rows near the viewport, absolutely positioned. While the page is being printed, it renders its rows in the normal flow. */
function VirtualListRows<S extends Window | Element>({ songs, label, rowProps, virtualRows, virtualizer }: VirtualListRowsProps<S>) {
  const { list, keys, rowPx, setRowPx, setFocusedIndex } = virtualRows
  const isLengthless = useMemo(() => areMostLengthsUnknown(songs), [songs])
  const indexes = useDeferredIndexes(virtualizer)
  const isPrinting = useIsPrinting()
  const printedCount = Math.min(songs.length, PRINTED_ROWS_MAX)
  const firstKey = keys[indexes[0] ?? 0]
  // All rows have the same height, which depends on the font size of the browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first row is replaced while the list scrolls.
  useLayoutEffect(() => {
    const rowElement = list.current?.firstElementChild
    if (!rowElement) return
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0
      // Checks for a change first, because setting a state to its current value can still cause one more render.
      if (height > 0 && height !== rowPx) setRowPx(height)
    })
    observer.observe(rowElement)
    return () => observer.disconnect()
  }, [firstKey, rowPx])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the positions depend on the row height.
  useLayoutEffect(() => virtualizer.measure(), [rowPx])

  return (
    <>
      <ol
        ref={list}
        className={classNames(isPrinting ? styles.list : styles.long, isLengthless && styles.lengthless)}
        aria-label={label}
        style={isPrinting ? undefined : { height: virtualizer.getTotalSize(), backgroundSize: `100% ${rowPx}px` }}
        onFocus={(event) => setFocusedIndex(readRowIndex(event.target))}
        onBlur={(event) => setFocusedIndex(event.relatedTarget instanceof Element ? readRowIndex(event.relatedTarget) : undefined)}
      >
        <RenderedRows
          indexes={isPrinting ? Array.from({ length: printedCount }, (_, index) => index) : indexes}
          songs={songs}
          keys={keys}
          rowProps={rowProps}
          {...(!isPrinting && { rowPx })}
        />
      </ol>
      {isPrinting && printedCount < songs.length && <p>And {formatPlural(songs.length - printedCount, 'more song')}.</p>}
    </>
  )
}

interface RenderedRowsProps extends Pick<VirtualListProps, 'songs' | 'rowProps'>, Pick<VirtualRows, 'keys'> {
  indexes: readonly number[]
  /** The height of the rows, which are positioned by it. If absent, they are in the normal flow. */
  rowPx?: number
}

const RenderedRows = memo(function RenderedRows({ indexes, songs, keys, rowPx, rowProps }: RenderedRowsProps) {
  return indexes.map((index) => {
    const song = songs[index]
    return song && <SongRow key={keys[index]} {...rowProps(song, index)} {...(rowPx !== undefined && { topPx: index * rowPx })} />
  })
})

/** Returns a key for each row: the song's id, or the index if an earlier row has the same song. */
function createRowKeys(songs: readonly Song[]): (string | number)[] {
  const songIds = new Set<string>()
  return songs.map(({ youtube_id }, index) => (songIds.has(youtube_id) || !songIds.add(youtube_id) ? index : youtube_id))
}

/** Returns the index of the row that contains an element. */
function readRowIndex(element: Element): number | undefined {
  const index = element.closest('li[data-index]')?.getAttribute('data-index')
  return index === null || index === undefined ? undefined : Number(index)
}

/** Returns the height of the rows of the plain list that this list replaces, so that the replacement causes no layout shift. */
function measurePlainRowPx(listLabel: string): number | undefined {
  const row = document.querySelector(`ol[aria-label="${CSS.escape(listLabel)}"] > li[data-index]`)
  return row?.getBoundingClientRect().height || undefined
}

/** Returns the minimum height of a row, from the design token. */
function readMinRowPx(): number {
  const height = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  return Number.isFinite(height) ? height : 76
}

/** A virtualized song list in a scroll container of its own. */
export function VirtualSongListInScrollBox({ scrollBox, ...props }: VirtualListProps & { scrollBox: Element | null }) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  useNoPointerEventsWhileScrolling(virtualRows.list)
  const virtualizer = useVirtualizer({
    ...virtualRows.options,
    observeElementOffset: observeOffsetInSteps,
    getScrollElement: () => scrollBox,
  })
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} />
}

/** A virtualized song list that scrolls with the page. */
export function VirtualSongListInPage(props: VirtualListProps) {
  const virtualRows = useVirtualRows(props.songs, props.label)
  const virtualizer = usePageVirtualizer(virtualRows.list, virtualRows.options)
  return <VirtualListRows {...props} virtualRows={virtualRows} virtualizer={virtualizer} />
}
