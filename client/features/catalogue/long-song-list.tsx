import { defaultRangeExtractor, observeWindowOffset, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { memo, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import styles from './song-list.module.css'
import { SongRow, type SongRowProps } from './song-row.tsx'

type RowProps = Omit<SongRowProps, 'topPx'>

interface LongSongListProps {
  songs: readonly Song[]
  label: string
  rowProps: (song: Song, index: number) => RowProps
}

/** A list that holds only the rows near the view. */
export function LongSongList({ songs, label, rowProps }: LongSongListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<number>()

  useLayoutEffect(() => {
    const measure = () => list.current && setTop(list.current.getBoundingClientRect().top + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(wholeSteps(range))
      if (focused === undefined || focused >= range.count || rows.includes(focused)) return rows
      return focused < (rows[0] ?? 0) ? [focused, ...rows] : [...rows, focused]
    },
    [focused],
  )
  const [rowPx, setRowPx] = useState(tokenRowPx)
  const virtualizer = useWindowVirtualizer({
    count: songs.length,
    estimateSize: () => rowPx,
    getItemKey: (index) => songs[index]?.youtube_id ?? index,
    overscan: 16,
    // They are rendered in their own time.
    useFlushSync: false,
    scrollMargin: top,
    rangeExtractor,
    // A list that is hidden while another page is on its way hears of no scrolling: it asks when it is shown again.
    observeElementOffset(instance, report) {
      const stop = observeWindowOffset(instance, report)
      report(window.scrollY, false)
      return stop
    },
  })

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

interface NearRowsProps extends Pick<LongSongListProps, 'songs' | 'rowProps'> {
  rows: readonly VirtualItem[]
  top: number
}

const NearRows = memo(function NearRows({ rows, songs, top, rowProps }: NearRowsProps) {
  return rows.map((item) => {
    const song = songs[item.index]
    return song && <SongRow key={item.key} {...rowProps(song, item.index)} topPx={item.start - top} />
  })
})

const STEP_ROWS = 2

/** Rows come and go some at a time, rendered between frames: one by one they would cost every frame of a fast scroll. */
const wholeSteps = (range: Range): Range => ({
  ...range,
  startIndex: Math.floor(range.startIndex / STEP_ROWS) * STEP_ROWS,
  endIndex: Math.min(range.count - 1, Math.ceil((range.endIndex + 1) / STEP_ROWS) * STEP_ROWS - 1),
})

function rowOf(element: Element): number | undefined {
  const index = element.closest('li[data-index]')?.getAttribute('data-index')
  return index === null || index === undefined ? undefined : Number(index)
}

/** The height that rows have at least. */
function tokenRowPx(): number {
  const height = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  return Number.isFinite(height) ? height : 76
}
