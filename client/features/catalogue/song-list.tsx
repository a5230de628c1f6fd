import { useDeferredValue } from 'react'
import type { Song } from '../../../contract/song.ts'
import { createPart } from '../../ui/part.tsx'
import { useRowProps } from './row-props.ts'
import styles from './song-list.module.css'
import { SongRow, type SongRowProps } from './song-row.tsx'

export interface SongListProps {
  songs: readonly Song[]
  /** What a song is played in: a playlist or category id, or 'favorite'. */
  contextOf: (song: Song) => string
  /** More songs may follow: the list's length is not known. */
  open?: boolean
  /** How many songs there are in all, where those behind the first are still on their way: their place is kept. */
  total?: number
  numbered?: boolean
  label: string
}

/** Up to so many rows all stand in the document, where the browser's own search finds them. */
export const PLAIN_ROWS = 200
/** What a long list shows until its program is here. */
export const FIRST_ROWS = 24

interface RowsProps {
  songs: readonly Song[]
  /** How many there will be. */
  total: number
  label: string
  rowProps: (song: Song, index: number) => Omit<SongRowProps, 'topPx'>
}

export function Rows({ songs, total, label, rowProps }: RowsProps) {
  return (
    <>
      <ol className={styles.list} aria-label={label}>
        {songs.map((song, index) => (
          <SongRow key={song.youtube_id} {...rowProps(song, index)} />
        ))}
      </ol>
      {songs.length < total && (
        <div className={styles.rest} style={{ height: `calc(var(--row) * ${total - songs.length})` }} aria-hidden="true" />
      )}
    </>
  )
}

const firstRows = ({ songs, ...props }: RowsProps) => <Rows {...props} songs={songs.slice(0, FIRST_ROWS)} />

// Its program is fetched where a list is long enough to need it.
const LongSongList = createPart(() => import('./long-song-list.tsx').then((module) => module.LongSongList), {
  waiting: firstRows,
  missing: (props, words) => (
    <>
      {firstRows(props)}
      {words}
    </>
  ),
})

/**
 * A list of songs of any length that scrolls with the page. A long one holds only the rows near the view; every row
 * says its place and the list's size, and the row that has the focus always stays.
 */
export function SongList(props: SongListProps) {
  // Many rows are rendered bit by bit, while the page answers to a person.
  const songs = useDeferredValue(props.songs)
  const total = Math.max(songs.length, props.total ?? 0)
  const { contextOf, numbered = true, open = false } = props
  const rowProps = useRowProps({ contextOf, count: open ? -1 : total, numbered })
  return songs.length <= PLAIN_ROWS ? (
    <Rows songs={songs} total={total} label={props.label} rowProps={rowProps} />
  ) : (
    <LongSongList songs={songs} total={total} label={props.label} rowProps={rowProps} />
  )
}
