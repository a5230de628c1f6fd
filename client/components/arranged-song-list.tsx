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

interface Arrangement {
  text: string
  sort: PlaylistSongSort
}

/** The state of an entry of the session history, in which only this module writes an arrangement. */
export type ListEntryState = { arrangement?: Arrangement | undefined } | null

function readArrangement(): Arrangement | undefined {
  const entryState: ListEntryState = history.state
  return entryState?.arrangement
}

/**
 * Stores the arrangement in the current entry of the session history, which Back, Forward and a reload restore, without the router, whose own
 * `replaceState` would load the page again. A browser may refuse changes in quick succession: the list is then restored as it was before them.
 */
function writeArrangement(arrangement: Arrangement | undefined): void {
  try {
    History.prototype.replaceState.call(history, { ...history.state, arrangement } satisfies ListEntryState, '')
  } catch {}
}

/** Fields that filter and sort a list of songs, and the songs. Playback still follows the given order. Back and a reload restore the fields. */
export function ArrangedSongList({ songs, orderLabel, emptyText, children }: ArrangedSongsProps) {
  const field = useRef<HTMLInputElement>(null)
  const [restored] = useState(readArrangement)
  const [{ text, sort }, setArrangement] = useState<Arrangement>(restored ?? { text: '', sort: 'playlist' })
  const change = (part: Partial<Arrangement>) => {
    const arrangement = { text, sort, ...part }
    setArrangement(arrangement)
    writeArrangement(arrangement)
  }
  // Long lists are filtered with low priority, so that typing is not delayed.
  const shownText = useDeferredValue(text)
  const shownSort = useDeferredValue(sort)
  const shownSongs = useMemo(() => arrangeSongs(songs, shownText, shownSort), [songs, shownText, shownSort])
  useEffect(() => {
    if (restored) return
    field.current?.focus()
    writeArrangement({ text: '', sort: 'playlist' })
  }, [restored])
  // If the fields are removed while their page stays open, they are not to come back.
  useEffect(() => {
    const { href } = location
    return () => {
      if (location.href === href) writeArrangement(undefined)
    }
  }, [])
  return (
    <>
      <FilterField
        ref={field}
        label="Filter"
        placeholder="Title or artist"
        status={shownText.trim() !== '' && `${formatCount(shownSongs.length)} of ${formatPlural(songs.length, 'song')}`}
        text={restored?.text}
        onText={(newText) => change({ text: newText })}
      >
        <SortSelect
          value={sort}
          options={[{ value: 'playlist', label: orderLabel }, ...searchSortOptions]}
          onChange={(newSort) => change({ sort: newSort })}
        />
      </FilterField>
      {shownSongs.length > 0 ? children(shownSongs) : <p className={typeStyles.muted}>{emptyText}</p>}
    </>
  )
}
