import { useDeferredValue, useEffect, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { createPart } from '../../ui/part.tsx'
import type { LongListProps } from './long-rows.tsx'
import { useRowProps } from './row-props.ts'
import styles from './song-list.module.css'
import { FIRST_ROWS, PLAIN_ROWS, Rows } from './song-list.tsx'

interface ScrolledSongListProps {
  songs: readonly Song[]
  contextOf: (song: Song) => string
  label: string
}

const firstRows = ({ songs, label, rowProps }: LongListProps) => (
  <Rows songs={songs.slice(0, FIRST_ROWS)} total={songs.length} label={label} rowProps={rowProps} />
)

// Its program is fetched where a list is long enough to need it.
const LongScrolledList = createPart(() => import('./long-scrolled-list.tsx').then((module) => module.LongScrolledList), {
  waiting: firstRows,
  missing: (props, words) => (
    <>
      {firstRows(props)}
      {words}
    </>
  ),
})

/** A list of songs of any length in a box of its own, for lists that songs leave: the focus then goes to the row that follows. */
export function ScrolledSongList(props: ScrolledSongListProps) {
  // What is pressed answers at once, the list follows.
  const songs = useDeferredValue(props.songs)
  const total = songs.length
  const rowProps = useRowProps({ contextOf: props.contextOf, count: total, numbered: false })
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  useFocusKept(box)
  const rows = { songs, label: props.label, rowProps }
  return (
    <div ref={setBox} className={styles.scrolled}>
      {total <= PLAIN_ROWS ? <Rows {...rows} total={total} /> : <LongScrolledList {...rows} box={box} />}
    </div>
  )
}

/** Which of a row's links and buttons an element is. */
const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a, button:not([role])')]

/** A row that goes with the focus on it hands it to the same control of the row that comes to stand in its place, else of the last one. */
function useFocusKept(box: HTMLElement | null): void {
  const last = useRef<{ element: Element; index: number; control: number }>(undefined)
  useEffect(() => {
    if (!box) return
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest('li[data-index]') : null
      if (!(target instanceof HTMLElement) || !row) return
      last.current = { element: target, index: Number(row.getAttribute('data-index')), control: controlsOf(row).indexOf(target) }
    }
    const keep = () => {
      if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return
      const { index, control } = last.current
      const row = box.querySelector(`li[data-index="${index}"]`) ?? box.querySelector('li[data-index]:last-child')
      if (row) controlsOf(row)[control]?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(keep)
    observer.observe(box, { childList: true, subtree: true })
    box.addEventListener('focusin', note)
    return () => {
      observer.disconnect()
      box.removeEventListener('focusin', note)
    }
  }, [box])
}
