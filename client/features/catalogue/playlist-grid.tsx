import { useDeferredValue } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import { classNames } from '../../ui/class-names.ts'
import { PlaylistCard } from './playlist-card.tsx'
import styles from './playlist-grid.module.css'

interface PlaylistGridProps {
  playlists: readonly Playlist[]
  /** The first one twice as large. */
  featured?: boolean
  headingLevel?: 2 | 3
  label: string
}

/** As many as any screen shows at first; the rest is rendered without holding up what a person does. */
const AT_ONCE = 60
/** Rows of pictures that a page opens with. */
const PRIORITY = 4

export function PlaylistGrid({ playlists, featured = false, headingLevel = 2, label }: PlaylistGridProps) {
  const shown = useDeferredValue(playlists.length, Math.min(playlists.length, AT_ONCE))
  return (
    <ul className={classNames(styles.grid, featured && styles.featured)} aria-label={label}>
      {playlists.slice(0, shown).map((playlist, index) => (
        <li key={playlist.id}>
          <PlaylistCard
            playlist={playlist}
            featured={featured && index === 0}
            headingLevel={headingLevel}
            priority={!featured && index < PRIORITY}
          />
        </li>
      ))}
    </ul>
  )
}
