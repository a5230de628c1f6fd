import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { FilterField } from '../ui/filter-field.tsx'
import { formatCount, formatPlural } from '../ui/format.ts'
import typeStyles from '../ui/type.module.css'
import { arrangeSongs, type PlaylistSongSort } from './arrange-songs.ts'
import { type ListArrangement, readListArrangement, writeListArrangement } from './list-arrangement.ts'
import { SortSelect, searchSortOptions } from './sort-select.tsx'

export interface ArrangedSongsProps {
  songs: readonly Song[]
  /** The name of the order in which `songs` are given. */
  orderLabel: string
  /** The text if no song matches. */
  emptyText: string
  children: (songs: readonly Song[]) => ReactNode
}

/** Fields that filter and sort a list of songs, and the songs. Playback still follows the given order. Back and a reload restore the fields. */
export function ArrangedSongList({ songs, orderLabel, emptyText, children }: ArrangedSongsProps) {
  const filterField = useRef<HTMLInputElement>(null)
  const sortOptions = [{ value: 'playlist', label: orderLabel }, ...searchSortOptions] as const
  const [restoredArrangement] = useState(() => readListArrangement<PlaylistSongSort>(sortOptions))
  const [{ text, sort }, setArrangement] = useState<ListArrangement<PlaylistSongSort>>(
    restoredArrangement ?? { text: '', sort: 'playlist' },
  )
  const changeArrangement = (changedPart: Partial<ListArrangement<PlaylistSongSort>>) => {
    const arrangement = { text, sort, ...changedPart }
    setArrangement(arrangement)
    writeListArrangement(arrangement)
  }
  // Long lists are filtered with low priority, so that typing is not delayed.
  const shownText = useDeferredValue(text)
  const shownSort = useDeferredValue(sort)
  const shownSongs = useMemo(() => arrangeSongs(songs, shownText, shownSort), [songs, shownText, shownSort])
  useEffect(() => {
    if (restoredArrangement) return
    filterField.current?.focus()
    writeListArrangement({ text: '', sort: 'playlist' })
  }, [restoredArrangement])
  // If the fields are removed while their page stays open, the stored arrangement is deleted, so that Back does not restore the fields.
  useEffect(() => {
    const { href } = location
    return () => {
      if (location.href === href) writeListArrangement(undefined)
    }
  }, [])
  return (
    <>
      <FilterField
        ref={filterField}
        label="Filter"
        placeholder="Title or artist"
        status={shownText.trim() !== '' && `${formatCount(shownSongs.length)} of ${formatPlural(songs.length, 'song')}`}
        text={restoredArrangement?.text}
        onText={(newText) => changeArrangement({ text: newText })}
      >
        <SortSelect value={sort} options={sortOptions} onChange={(newSort) => changeArrangement({ sort: newSort })} />
      </FilterField>
      {shownSongs.length > 0 ? children(shownSongs) : <p className={typeStyles.muted}>{emptyText}</p>}
    </>
  )
}
