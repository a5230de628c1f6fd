import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import type { ArrangedSongsProps } from './arranged-song-list.tsx'

/** Lists of at least this many songs can be sorted and filtered. */
export const MIN_SONGS_TO_ARRANGE = 10

/** A list of songs with fields that filter and sort it, an on-demand chunk: until it is loaded, the songs are shown as given. */
export const ArrangedSongs = lazyWithRetry<ArrangedSongsProps>(
  () => import('./arranged-song-list.tsx').then((module) => module.ArrangedSongList),
  {
    fallback: ({ songs, children }) => children(songs),
    renderError: ({ songs, children }, message) => (
      <>
        {message}
        {children(songs)}
      </>
    ),
  },
)
