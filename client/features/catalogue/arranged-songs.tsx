import { type ReactNode, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import { arrangeSongs, type PlaylistSongSort } from './arrange-songs.ts'
import styles from './arranged-songs.module.css'
import { searchSortOptions } from './search-sorts.ts'
import { SortSelect } from './sort-select.tsx'

const sortOptions = [{ value: 'playlist', label: 'Playlist order' }, ...searchSortOptions] as const

interface ArrangedSongsProps {
  songs: readonly Song[]
  children: (songs: readonly Song[]) => ReactNode
}

/** Fields that filter and sort the songs of a playlist, and the songs. The order in which songs are played stays the playlist's. */
export function ArrangedSongs({ songs, children }: ArrangedSongsProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [sort, setSort] = useState<PlaylistSongSort>('playlist')
  // Long lists are filtered with low priority, so that typing is not delayed.
  const shownText = useDeferredValue(text)
  const shownSort = useDeferredValue(sort)
  const shownSongs = useMemo(() => arrangeSongs(songs, shownText, shownSort), [songs, shownText, shownSort])
  useEffect(() => field.current?.focus(), [])
  return (
    <>
      <div className={styles.tools}>
        <label className={styles.label} htmlFor={id}>
          Filter
        </label>
        <input
          ref={field}
          id={id}
          type="search"
          className={styles.input}
          placeholder="Title or artist"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <SortSelect value={sort} options={sortOptions} onChange={setSort} />
        <span role="status" className={typeStyles.mono}>
          {shownText.trim() !== '' && `${formatCount(shownSongs.length)} of ${formatPlural(songs.length, 'song')}`}
        </span>
      </div>
      {shownSongs.length > 0 ? children(shownSongs) : <p className={typeStyles.muted}>No song of this playlist matches.</p>}
    </>
  )
}
