import { memo } from 'react'
import type { Song } from '../../contract/song.ts'
import { useFavoriteToggle } from '../hooks/favorites.ts'
import { createArtistPath, createPlaylistPath, createSongPath } from '../hooks/paths.ts'
import { useServices } from '../hooks/services.tsx'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Cover, ROW_COVER_PX } from '../ui/cover.tsx'
import { formatDuration, formatLongDate } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyMenu } from '../ui/lazy-menu.tsx'
import { PlayingIndicator } from '../ui/playing-indicator.tsx'
import typeStyles from '../ui/type.module.css'
import type { SongMenuProps } from './song-menu.tsx'
import styles from './song-row.module.css'

export interface SongRowProps {
  song: Song
  /** The index of the song in the list, from 0. */
  index: number
  /** The number of rows of the list, rendered or not; -1 if it is unknown. */
  rowCount: number
  /** Context in which the song is played: a playlist or category id, or 'favorite'. */
  contextId: string
  /** The state of the player if this song is its current one; otherwise undefined. */
  playback?: 'playing' | 'paused' | undefined
  numbered?: boolean
  /** The offset of the row in a virtualized list, in pixels. It is a number, so that `memo` skips rows that did not move. */
  topPx?: number
}

/** Renders the list row of a song. The link of the song covers the row; badges and buttons are in front of the link. */
export const SongRow = memo(function SongRow({ song, index, rowCount, contextId, playback, numbered = true, topPx }: SongRowProps) {
  const { catalogue } = useServices()
  return (
    <li
      className={classNames(styles.row, !numbered && styles.unnumbered, playback && styles.current)}
      style={topPx === undefined ? undefined : { position: 'absolute', top: topPx }}
      data-index={index}
      aria-setsize={rowCount}
      aria-posinset={index + 1}
      aria-current={playback ? 'true' : undefined}
    >
      <span className={classNames(styles.number, typeStyles.mono)}>
        {playback ? <PlayingIndicator isPlaying={playback === 'playing'} /> : numbered && index + 1}
      </span>
      <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width={ROW_COVER_PX} alt="" />
      <div className={styles.title}>
        <a
          className={styles.open}
          data-playable=""
          dir="auto"
          href={createSongPath(song.youtube_id, contextId)}
          onClick={() => catalogue.noteSong({ ...song, listIndex: index })}
        >
          {song.title}
        </a>
        <div className={styles.badges}>
          {song.new === 'true' && (
            <Badge kind="new" className={styles.new}>
              New
            </Badge>
          )}
          <Badge kind="plain" to={createArtistPath(song.author_name)} className={styles.artist}>
            <span className={styles.clip}>{song.author_name}</span>
          </Badge>
        </div>
        {song.category_id && (
          <Badge kind="category" to={createPlaylistPath(song.category_id)} className={styles.category}>
            <span className={styles.clip}>{song.category_name}</span>
          </Badge>
        )}
      </div>
      <time className={styles.date} dateTime={song.date_added}>
        {formatLongDate(song.date_added)}
      </time>
      <span className={classNames(styles.duration, typeStyles.mono)}>
        {song.duration === undefined ? '–' : formatDuration(song.duration)}
      </span>
      <SongRowButtons song={song} contextId={contextId} />
    </li>
  )
})

const SongMenu = lazyMenu<Omit<SongMenuProps, 'openAtFirst'>>(() => import('./song-menu.tsx').then((module) => module.SongMenu))

/**
 * Renders the favorite button and the menu of a song row. It is a component of its own, so that toggling the favorite does not render the
 * row again.
 */
function SongRowButtons({ song, contextId }: Pick<SongRowProps, 'song' | 'contextId'>) {
  const { isFavorite, toggle } = useFavoriteToggle(song)
  return (
    <>
      <IconButton
        icon={isFavorite ? 'heart-filled' : 'heart'}
        label={`Favorite: ${song.title}`}
        pressed={isFavorite}
        className={styles.heart}
        onClick={toggle}
      />
      <SongMenu
        label={`More: ${song.title}`}
        className={styles.more ?? ''}
        song={song}
        contextId={contextId}
        isFavorite={isFavorite}
        onToggleFavorite={toggle}
      />
    </>
  )
}
