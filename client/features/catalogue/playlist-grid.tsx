import { useDeferredValue } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import { useOpenable, useSilent } from '../../bindings/offline.ts'
import { classNames } from '../../ui/class-names.ts'
import { PlaylistCard } from './playlist-card.tsx'
import styles from './playlist-grid.module.css'
import { showcaseSize } from './showcase.ts'

interface PlaylistGridProps {
  playlists: readonly Playlist[]
  /** Some cards larger, so that a short list looks chosen and its last row is full. */
  featured?: boolean
  headingLevel?: 2 | 3
  label: string
}

/** As many as any screen shows at first; the rest is rendered without holding up what a person does. */
const AT_ONCE = 60
/** As many as the site explores with: they stand in full rows. */
const DOZEN = 12
/** How many pictures a page opens with. */
const PRIORITY = 4

export function PlaylistGrid({ playlists, featured = false, headingLevel = 2, label }: PlaylistGridProps) {
  const shown = useDeferredValue(playlists.length, Math.min(playlists.length, AT_ONCE))
  const openable = useOpenable()
  const reason = useSilent() ? 'Cannot be reached' : 'Needs a connection'
  return (
    <ul
      className={classNames(styles.grid, featured && styles.featured, playlists.length === DOZEN && !featured && styles.dozen)}
      aria-label={label}
    >
      {playlists.slice(0, shown).map((playlist, index) => {
        const size = featured ? showcaseSize(index, playlists.length) : 'small'
        return (
          <li key={playlist.id} className={styles[size]}>
            <PlaylistCard
              playlist={playlist}
              featured={size !== 'small'}
              headingLevel={headingLevel}
              away={openable === undefined || openable.has(playlist.id) ? undefined : reason}
              priority={!featured && index < PRIORITY}
            />
          </li>
        )
      })}
    </ul>
  )
}
