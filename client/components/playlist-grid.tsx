import { useDeferredValue } from 'react'
import type { Playlist } from '../../contract/playlist.ts'
import { useOfflinePlaylistIds, useServerUnreachable } from '../hooks/offline.ts'
import { classNames } from '../ui/class-names.ts'
import { PlaylistCard } from './playlist-card.tsx'
import styles from './playlist-grid.module.css'
import { chooseCardSize } from './showcase.ts'

interface PlaylistGridProps {
  playlists: readonly Playlist[]
  /** Whether some cards are enlarged so that the last row has no gap (see `chooseCardSize`). */
  featured?: boolean
  headingLevel?: 2 | 3
  label: string
}

/** The number of cards in the first render. React renders the remaining ones with low priority. */
const INITIAL_CARD_COUNT = 60
/** A grid with this number of cards uses only column counts that divide the number, so that every row is full. */
const FULL_ROWS_CARD_COUNT = 12
/** The number of pictures that are loaded with high priority. */
const PRIORITY_PICTURE_COUNT = 4

export function PlaylistGrid({ playlists, featured = false, headingLevel = 2, label }: PlaylistGridProps) {
  const renderedCount = useDeferredValue(playlists.length, Math.min(playlists.length, INITIAL_CARD_COUNT))
  const availablePlaylistIds = useOfflinePlaylistIds()
  const unavailableReason = useServerUnreachable() ? 'When the site is back' : 'Needs a connection'
  return (
    <ul
      className={classNames(
        styles.grid,
        featured && styles.featured,
        playlists.length === FULL_ROWS_CARD_COUNT && !featured && styles.twelve,
      )}
      aria-label={label}
    >
      {playlists.slice(0, renderedCount).map((playlist, index) => {
        const cardSize = featured ? chooseCardSize(index, playlists.length) : 'small'
        return (
          <li key={playlist.id} className={styles[cardSize]}>
            <PlaylistCard
              playlist={playlist}
              featured={cardSize !== 'small'}
              headingLevel={headingLevel}
              unavailableReason={
                availablePlaylistIds === undefined || availablePlaylistIds.has(playlist.id) ? undefined : unavailableReason
              }
              hasPicturePriority={!featured && index < PRIORITY_PICTURE_COUNT}
            />
          </li>
        )
      })}
    </ul>
  )
}
