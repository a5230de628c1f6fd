import { useDeferredValue } from 'react'
import type { Song } from '../../contract/song.ts'
import { classNames } from '../ui/class-names.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { areMostLengthsUnknown } from './song-lengths.ts'
import styles from './song-list.module.css'
import { SongRow, type SongRowProps } from './song-row.tsx'
import { useRowProps } from './use-row-props.ts'

export interface SongListProps {
  songs: readonly Song[]
  /** Returns the context in which a song is played: a playlist or category id, or 'favorite'. */
  getContextId: (song: Song) => string
  /** Whether more songs may follow, so that the length of the list is unknown. */
  isPartial?: boolean
  /** The number of songs of the complete list. Empty space is reserved for songs that are not loaded yet. */
  totalSongCount?: number
  numbered?: boolean
  label: string
}

/** Lists up to this length are rendered in full, so that find-in-page works; longer ones are virtualized. */
export const PLAIN_LIST_ROWS_MAX = 200
/** The number of rows that are rendered until the chunk of the virtualized list is loaded. */
export const FALLBACK_ROW_COUNT = 24

interface RowsProps {
  songs: readonly Song[]
  /** The number of rows to render. Which columns they have depends on all songs of the list. */
  shownCount?: number
  /** The number of songs of the complete list, including those that are not loaded yet. */
  total: number
  label: string
  rowProps: (song: Song, index: number) => Omit<SongRowProps, 'topPx'>
}

export function SongRows({ songs, shownCount = songs.length, total, label, rowProps }: RowsProps) {
  return (
    <>
      <ol className={classNames(styles.list, areMostLengthsUnknown(songs) && styles.lengthless)} aria-label={label}>
        {songs.slice(0, shownCount).map((song, index) => (
          // A song that a playlist contains twice is the same object in both rows, so only its first row gets the song's id as key.
          <SongRow key={songs.indexOf(song) === index ? song.youtube_id : index} {...rowProps(song, index)} />
        ))}
      </ol>
      {shownCount < total && (
        <div className={styles.reserved} style={{ height: `calc(var(--row) * ${total - shownCount})` }} aria-hidden="true" />
      )}
    </>
  )
}

const renderFirstRows = (props: RowsProps) => <SongRows {...props} shownCount={FALLBACK_ROW_COUNT} />

// The virtualizer is an on-demand chunk, because only lists with more than PLAIN_LIST_ROWS_MAX songs need it.
const VirtualSongListInPage = lazyWithRetry(() => import('./virtual-rows.tsx').then((module) => module.VirtualSongListInPage), {
  fallback: renderFirstRows,
  renderError: (props, errorMessage) => (
    <>
      {renderFirstRows(props)}
      {errorMessage}
    </>
  ),
})

/**
 * A song list that scrolls with the page. A long list renders only the rows near the viewport and the focused row; every row
 * has `aria-posinset` and `aria-setsize`.
 */
export function SongList(props: SongListProps) {
  // The songs are a deferred value, so that rendering many rows does not block input.
  const songs = useDeferredValue(props.songs)
  const totalCount = Math.max(songs.length, props.totalSongCount ?? 0)
  const { getContextId, numbered = true, isPartial = false } = props
  const rowProps = useRowProps({ getContextId, rowCount: isPartial ? -1 : totalCount, numbered })
  return songs.length <= PLAIN_LIST_ROWS_MAX ? (
    <SongRows songs={songs} total={totalCount} label={props.label} rowProps={rowProps} />
  ) : (
    <VirtualSongListInPage songs={songs} total={totalCount} label={props.label} rowProps={rowProps} />
  )
}
