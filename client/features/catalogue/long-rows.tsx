import { defaultRangeExtractor, type Range, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import styles from './song-list.module.css'
import { SongRow, type SongRowProps } from './song-row.tsx'

type RowProps = Omit<SongRowProps, 'topPx'>

export interface LongListProps {
  songs: readonly Song[]
  label: string
  rowProps: (song: Song, index: number) => RowProps
}

/** What a list that holds only the rows near the view knows of them, whatever it is that scrolls. */
export interface RowWindow {
  list: RefObject<HTMLOListElement | null>
  rowPx: number
  setRowPx: (height: number) => void
  setFocused: (index: number | undefined) => void
  /** For the virtualizer. */
  options: {
    count: number
    estimateSize: () => number
    getItemKey: (index: number) => string | number
    overscan: number
    useFlushSync: boolean
    rangeExtractor: (range: Range) => number[]
  }
}

export function useRowWindow(songs: readonly Song[], label: string): RowWindow {
  const list = useRef<HTMLOListElement>(null)
  const [focused, setFocused] = useState<number>()
  const [rowPx, setRowPx] = useState(() => shownRowPx(label) ?? tokenRowPx())
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(wholeSteps(range))
      if (focused === undefined || focused >= range.count || rows.includes(focused)) return rows
      return focused < (rows[0] ?? 0) ? [focused, ...rows] : [...rows, focused]
    },
    [focused],
  )
  return {
    ...{ list, rowPx, setRowPx, setFocused },
    options: {
      count: songs.length,
      // Other functions would have it place all rows anew.
      estimateSize: useCallback(() => rowPx, [rowPx]),
      getItemKey: useCallback((index: number) => songs[index]?.youtube_id ?? index, [songs]),
      overscan: 16,
      // They are rendered in their own time.
      useFlushSync: false,
      rangeExtractor,
    },
  }
}

interface LongRowsProps<S extends Window | Element> extends LongListProps {
  rowWindow: RowWindow
  virtualizer: Virtualizer<S, Element>
  /** Where the list begins in what scrolls, in pixels. */
  top?: number
}

/** The rows near the view, each at its place. */
export function LongRows<S extends Window | Element>({ songs, label, rowProps, rowWindow, virtualizer, top = 0 }: LongRowsProps<S>) {
  const { list, rowPx, setRowPx, setFocused } = rowWindow
  const items = virtualizer.getVirtualItems()
  const firstKey = items[0]?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same rows at the same places are the same list.
  const rows = useMemo(() => items, [items.map(({ index }) => index).join(), items[0]?.start])
  // Rows are all of one height, by their style; how high that is depends on the font that a person has chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first row becomes another one as the list scrolls.
  useLayoutEffect(() => {
    const row = list.current?.firstElementChild
    if (!row) return
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0
      // React renders the list once more where a state is set to what it is.
      if (height > 0 && height !== rowPx) setRowPx(height)
    })
    observer.observe(row)
    return () => observer.disconnect()
  }, [firstKey, rowPx])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was placed by the old height is placed anew.
  useLayoutEffect(() => virtualizer.measure(), [rowPx])

  return (
    <ol
      ref={list}
      className={styles.long}
      aria-label={label}
      style={{ height: virtualizer.getTotalSize(), backgroundSize: `100% ${rowPx}px` }}
      onFocus={(event) => setFocused(rowOf(event.target))}
      onBlur={(event) => setFocused(event.relatedTarget instanceof Element ? rowOf(event.relatedTarget) : undefined)}
    >
      <NearRows rows={useDeferredValue(rows)} songs={songs} top={top} rowProps={rowProps} />
    </ol>
  )
}

interface NearRowsProps extends Pick<LongListProps, 'songs' | 'rowProps'> {
  rows: readonly VirtualItem[]
  top: number
}

const NearRows = memo(function NearRows({ rows, songs, top, rowProps }: NearRowsProps) {
  return rows.map((item) => {
    const song = songs[item.index]
    return song && <SongRow key={song.youtube_id} {...rowProps(song, item.index)} topPx={item.start - top} />
  })
})

const STEP_ROWS = 2

/** Rows come and go some at a time, rendered between frames: one by one they would cost every frame of a fast scroll. */
const wholeSteps = (range: Range): Range => ({
  ...range,
  startIndex: Math.floor(range.startIndex / STEP_ROWS) * STEP_ROWS,
  endIndex: Math.min(range.count - 1, Math.ceil((range.endIndex + 1) / STEP_ROWS) * STEP_ROWS - 1),
})

/** The row that an element stands in. */
export function rowOf(element: Element): number | undefined {
  const index = element.closest('li[data-index]')?.getAttribute('data-index')
  return index === null || index === undefined ? undefined : Number(index)
}

/** The height of the rows that stand here until this list comes; so none of them moves. */
function shownRowPx(label: string): number | undefined {
  const row = document.querySelector(`ol[aria-label="${CSS.escape(label)}"] > li[data-index]`)
  return row?.getBoundingClientRect().height || undefined
}

/** The height that rows have at least. */
function tokenRowPx(): number {
  const height = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  return Number.isFinite(height) ? height : 76
}
