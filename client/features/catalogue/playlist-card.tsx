import { memo } from 'react'
import { NETWORK_PLAYLIST_ID, NEW_PLAYLIST_ID } from '../../../contract/computed-playlists.ts'
import type { Playlist } from '../../../contract/playlist.ts'
import { playlistPath } from '../../bindings/paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './playlist-card.module.css'

interface PlaylistCardProps {
  playlist: Playlist
  /** Twice as large, for the first of a grid. */
  featured?: boolean
  headingLevel?: 2 | 3
  /** Its picture is among the first that the page shows. */
  priority?: boolean
  /** Why it cannot be opened now, where its songs are not on this device. */
  away?: string | undefined
}

/** A playlist in a grid: one link, with its picture, badge, title and count. */
export const PlaylistCard = memo(function PlaylistCard({
  playlist,
  featured = false,
  headingLevel = 2,
  priority = false,
  away,
}: PlaylistCardProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <a className={classNames(styles.card, featured && styles.featured, away !== undefined && styles.away)} href={playlistPath(playlist.id)}>
      <span className={styles.picture}>
        <Cover
          src={playlist.image_url}
          ratio="square"
          width={featured ? '(max-width: 600px) 100vw, 50vw' : '(max-width: 600px) 50vw, 320px'}
          alt=""
          priority={priority}
          className={styles.cover}
        />
        <PlaylistBadge playlist={playlist} className={styles.badge ?? ''} />
        {away !== undefined && (
          <span className={styles.reason}>
            <Icon name="offline" size="s" />
            {away}
          </span>
        )}
      </span>
      <Heading className={classNames(styles.line, typeStyles.head, typeStyles.d1)}>
        <span className={styles.title} dir="auto">
          {playlist.title}
        </span>
        <span className={classNames(styles.count, typeStyles.mono)}>
          {formatCount(playlist.song_count)}
          <span className={typeStyles.hidden}>{playlist.song_count === 1 ? ' song' : ' songs'}</span>
        </span>
      </Heading>
    </a>
  )
})

/** 'New', 'Network' or 'Special'; nothing for the others. */
export function PlaylistBadge({ playlist, className }: { playlist: Playlist; className?: string }) {
  const look = className === undefined ? {} : { className }
  if (playlist.id === NEW_PLAYLIST_ID)
    return (
      <Badge kind="new" {...look}>
        New
      </Badge>
    )
  if (playlist.id === NETWORK_PLAYLIST_ID)
    return (
      <Badge kind="special" {...look}>
        Network
      </Badge>
    )
  if (playlist.special)
    return (
      <Badge kind="special" {...look}>
        Special
      </Badge>
    )
  return null
}
