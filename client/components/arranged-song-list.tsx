import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { FilterField } from '../../ui/filter-field.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import { arrangeSongs, type PlaylistSongSort } from './arrange-songs.ts'
import { SortSelect, searchSortOptions } from './sort-select.tsx'

const sortOptions = [{ value: 'playlist', label: 'Playlist order' }, ...searchSortOptions] as const

/** The width up to which `filter-field.module.css` keeps the fields in view. */
const PHONE_MAX_PX = 600

interface ArrangedSongsProps {
  songs: readonly Song[]
  children: (songs: readonly Song[]) => ReactNode
}

/** Fields that filter and sort the songs of a playlist, and the songs. Playback still follows the order of the playlist. */
export function ArrangedSongs({ songs, children }: ArrangedSongsProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [sort, setSort] = useState<PlaylistSongSort>('playlist')
  // Long lists are filtered with low priority, so that typing is not delayed.
  const shownText = useDeferredValue(text)
  const shownSort = useDeferredValue(sort)
  const shownSongs = useMemo(() => arrangeSongs(songs, shownText, shownSort), [songs, shownText, shownSort])
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    // On a phone, the keyboard covers the lower half of the screen, so that the songs must be above it.
    field.current?.scrollIntoView({ block: innerWidth <= PHONE_MAX_PX ? 'start' : 'nearest' })
  }, [])
  return (
    <>
      <FilterField
        ref={field}
        label="Filter"
        placeholder="Title or artist"
        status={shownText.trim() !== '' && `${formatCount(shownSongs.length)} of ${formatPlural(songs.length, 'song')}`}
        onText={setText}
      >
        <SortSelect value={sort} options={sortOptions} onChange={setSort} />
      </FilterField>
      {shownSongs.length > 0 ? children(shownSongs) : <p className={typeStyles.muted}>No song of this playlist matches.</p>}
    </>
  )
}
