import { useDeferredValue, useEffect, useRef, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { createScope } from '../primitives/scope.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import styles from './song-list.module.css'
import { FALLBACK_ROW_COUNT, PLAIN_LIST_ROWS_MAX, SongRows } from './song-list.tsx'
import { useRowProps } from './use-row-props.ts'
import type { VirtualListProps } from './virtual-rows.tsx'

interface ScrolledSongListProps {
  songs: readonly Song[]
  getContextId: (song: Song) => string
  label: string
}

const renderFirstRows = ({ songs, label, rowProps }: VirtualListProps) => (
  <SongRows songs={songs} shownCount={FALLBACK_ROW_COUNT} total={songs.length} label={label} rowProps={rowProps} />
)

// The virtualizer is an on-demand chunk, because only lists with more than PLAIN_LIST_ROWS_MAX songs need it.
const VirtualSongListInScrollBox = lazyWithRetry(() => import('./virtual-rows.tsx').then((module) => module.VirtualSongListInScrollBox), {
  fallback: renderFirstRows,
  renderError: (props, message) => (
    <>
      {renderFirstRows(props)}
      {message}
    </>
  ),
})

/** A song list in a scroll container of its own. If the focused row is removed, the next row gets the focus. */
export function ScrolledSongList(props: ScrolledSongListProps) {
  // The rows are rendered with a deferred value, so that a pressed button responds before the whole list is rendered again.
  const songs = useDeferredValue(props.songs)
  const total = songs.length
  const rowProps = useRowProps({ getContextId: props.getContextId, rowCount: total, numbered: false })
  const [scrollBox, setScrollBox] = useState<HTMLDivElement | null>(null)
  useFocusAfterRemoval(scrollBox)
  const listProps = { songs, label: props.label, rowProps }
  return (
    <div className={styles.frame}>
      <div ref={setScrollBox} className={styles.scrolled}>
        {total <= PLAIN_LIST_ROWS_MAX ? (
          <SongRows {...listProps} total={total} />
        ) : (
          <VirtualSongListInScrollBox {...listProps} scrollBox={scrollBox} />
        )}
      </div>
    </div>
  )
}

/** Returns the links and buttons of a row. */
const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a, button:not([role])')]

/** If the row with the focus is removed, focuses the same control of the row that takes its place, or of the last row. */
function useFocusAfterRemoval(scrollContainer: HTMLElement | null): void {
  const lastFocused = useRef<{ element: Element; rowIndex: number; controlIndex: number }>(undefined)
  useEffect(() => {
    if (!scrollContainer) return
    const recordFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest('li[data-index]') : null
      if (!(target instanceof HTMLElement) || !row) return
      lastFocused.current = {
        element: target,
        rowIndex: Number(row.getAttribute('data-index')),
        controlIndex: controlsOf(row).indexOf(target),
      }
    }
    const restoreFocus = () => {
      if (!lastFocused.current || lastFocused.current.element.isConnected || document.activeElement !== document.body) return
      const { rowIndex, controlIndex } = lastFocused.current
      const row =
        scrollContainer.querySelector(`li[data-index="${rowIndex}"]`) ?? scrollContainer.querySelector('li[data-index]:last-child')
      if (row) controlsOf(row)[controlIndex]?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(restoreFocus)
    observer.observe(scrollContainer, { childList: true, subtree: true })
    const scope = createScope()
    scope.add(() => observer.disconnect())
    scope.listen(scrollContainer, 'focusin', recordFocus)
    return scope.dispose
  }, [scrollContainer])
}
