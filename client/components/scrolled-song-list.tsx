import { useDeferredValue, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
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
  renderError: (props, errorMessage) => (
    <>
      {renderFirstRows(props)}
      {errorMessage}
    </>
  ),
})

/** A song list in a scroll container of its own. If the focused row is removed, the next row gets the focus. */
export function ScrolledSongList(props: ScrolledSongListProps) {
  // The rows are rendered with a deferred value, so that a pressed button responds before the whole list is rendered again.
  const songs = useDeferredValue(props.songs)
  const songCount = songs.length
  const rowProps = useRowProps({ getContextId: props.getContextId, rowCount: songCount, numbered: false })
  const [scrollBox, setScrollBox] = useState<HTMLDivElement | null>(null)
  useFocusAfterRemoval(scrollBox)
  const listProps = { songs, label: props.label, rowProps }
  return (
    <div className={styles.frame}>
      <div ref={setScrollBox} className={styles.scrolled}>
        {songCount <= PLAIN_LIST_ROWS_MAX ? (
          <SongRows {...listProps} total={songCount} />
        ) : (
          <VirtualSongListInScrollBox {...listProps} scrollBox={scrollBox} />
        )}
      </div>
    </div>
  )
}
