import { useLayoutEffect, useState } from 'react'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import type { ArrangedSongsProps } from './arranged-song-list.tsx'
import type { ArrangedListHistoryState } from './list-arrangement.ts'

/** Lists of at least this many songs can be sorted and filtered. */
export const MIN_SONGS_TO_ARRANGE = 10

/**
 * Like `useState(false)`: the state is whether the page's song list shows the fields that filter and sort it. Back and a reload restore the
 * state.
 */
export function useIsArranged() {
  const [isArranged, setArranged] = useState(false)
  useLayoutEffect(() => {
    const entryState: ArrangedListHistoryState = history.state
    setArranged(Boolean(entryState?.arrangement))
  }, [])
  return [isArranged, setArranged] as const
}

/** A list of songs with fields that filter and sort it, an on-demand chunk: until it is loaded, the songs are shown as given. */
export const ArrangedSongs = lazyWithRetry<ArrangedSongsProps>(
  () => import('./arranged-song-list.tsx').then((module) => module.ArrangedSongList),
  {
    fallback: ({ songs, children }) => children(songs),
    renderError: ({ songs, children }, errorMessage) => (
      <>
        {errorMessage}
        {children(songs)}
      </>
    ),
  },
)
