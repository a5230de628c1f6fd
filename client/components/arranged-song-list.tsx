import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { FilterField } from '../ui/filter-field.tsx'
import { formatCount, formatPlural } from '../ui/format.ts'
import typeStyles from '../ui/type.module.css'
import { arrangeSongs, type PlaylistSongSort } from './arrange-songs.ts'
import { SortSelect, searchSortOptions } from './sort-select.tsx'

export interface ArrangedSongsProps {
  songs: readonly Song[]
  /** The name of the order in which `songs` are given. */
  orderLabel: string
  /** The text if no song matches. */
  emptyText: string
  children: (songs: readonly Song[]) => ReactNode
}

/** Fields that filter and sort a list of songs, and the songs. Playback still follows the given order. */
export function ArrangedSongList({ songs, orderLabel, emptyText, children }: ArrangedSongsProps) {
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
      <FilterField
        ref={field}
        label="Filter"
        placeholder="Title or artist"
        status={shownText.trim() !== '' && `${formatCount(shownSongs.length)} of ${formatPlural(songs.length, 'song')}`}
        onText={setText}
      >
        <SortSelect value={sort} options={[{ value: 'playlist', label: orderLabel }, ...searchSortOptions]} onChange={setSort} />
      </FilterField>
      {shownSongs.length > 0 ? children(shownSongs) : <p className={typeStyles.muted}>{emptyText}</p>}
    </>
  )
}
