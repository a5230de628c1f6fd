import { memo, type ReactNode } from 'react'
import type { Playlist } from '../../contract/playlist.ts'
import { NETWORK_SONGS_PLAYLIST_ID, NEW_SONGS_PLAYLIST_ID } from '../../contract/playlist-rules.ts'
import { createPlaylistPath } from '../hooks/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Cover } from '../ui/cover.tsx'
import { formatPlural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { chooseTallScriptClass } from '../ui/tall-script-class.ts'
import typeStyles from '../ui/type.module.css'
import styles from './playlist-card.module.css'

interface PlaylistCardProps {
  playlist: Playlist
  /** Whether the card shows a larger picture, as cards of 2 grid columns do. */
  featured?: boolean
  headingLevel?: 2 | 3
  hasPicturePriority?: boolean
  /** Whether songs of the playlist are still missing on this device, so that the card leaves the place of their number empty. */
  isPartial?: boolean
  /** The reason why the playlist cannot be opened now, for example because its songs are not cached. */
  unavailableReason?: string | undefined
  /** Content above the picture. */
  children?: ReactNode
}

/**
 * Grid card of a playlist: a link with picture, badge, title and song count. `PlayOverlay` shows a play button in the list item around the
 * link.
 */
export const PlaylistCard = memo(function PlaylistCard({
  playlist,
  featured = false,
  headingLevel = 2,
  hasPicturePriority = false,
  isPartial = false,
  unavailableReason,
  children,
}: PlaylistCardProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <a
      className={classNames(styles.card, featured && styles.featured, unavailableReason !== undefined && styles.unavailable)}
      data-playable=""
      href={createPlaylistPath(playlist.id)}
    >
      <span className={styles.picture}>
        <Cover
          src={playlist.image_url}
          ratio="square"
          width={featured ? '(max-width: 600px) 100vw, 50vw' : '(max-width: 600px) 50vw, 320px'}
          alt=""
          priority={hasPicturePriority}
          className={styles.cover}
        >
          {children}
        </Cover>
        <PlaylistBadge playlist={playlist} className={styles.badge ?? ''} />
        {unavailableReason !== undefined && (
          <span className={styles.reason}>
            <Icon name="offline" size="s" />
            {unavailableReason}
          </span>
        )}
      </span>
      <Heading className={classNames(styles.line, typeStyles.head, typeStyles.d1, chooseTallScriptClass(playlist.title))}>
        <span className={styles.title} dir="auto">
          {playlist.title}
        </span>
        <span className={classNames(typeStyles.mono, typeStyles.muted)}>
          {isPartial ? '\u00a0' : formatPlural(playlist.song_count, 'song')}
        </span>
      </Heading>
    </a>
  )
})

/** Renders the badge 'New', 'Network' or 'Special' of a computed playlist, and nothing for other playlists. */
export function PlaylistBadge({ playlist, className }: { playlist: Playlist; className?: string }) {
  if (playlist.id === NEW_SONGS_PLAYLIST_ID)
    return (
      <Badge kind="new" className={className}>
        New
      </Badge>
    )
  if (playlist.id === NETWORK_SONGS_PLAYLIST_ID)
    return (
      <Badge kind="special" className={className}>
        Network
      </Badge>
    )
  if (playlist.special)
    return (
      <Badge kind="special" className={className}>
        Special
      </Badge>
    )
  return null
}
