import { memo } from 'react'
import type { Song } from '../../../contract/song.ts'
import { artistPath, playlistPath, songPath } from '../../bindings/paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatDuration, formatLongDate } from '../../ui/format.ts'
import { Meter } from '../../ui/meter.tsx'
import typeStyles from '../../ui/type.module.css'
import { SongKeys } from './song-keys.tsx'
import styles from './song-row.module.css'

export interface SongRowProps {
  song: Song
  /** From 0. */
  index: number
  /** How many rows the whole list has, rendered or not; -1 where that is not known yet. */
  count: number
  /** What the song is played in: a playlist or category id. */
  contextId: string
  /** Whether this is the player's song. */
  now?: 'playing' | 'paused' | undefined
  numbered?: boolean
  /** Where the row lies in a list that places its rows itself; a number, so that a row that stays is not rendered anew. */
  topPx?: number
}

/** A song in a list: the whole row opens it, the badges and the menu lie above that. */
export const SongRow = memo(function SongRow({ song, index, count, contextId, now, numbered = true, topPx }: SongRowProps) {
  return (
    <li
      className={classNames(styles.row, !numbered && styles.unnumbered, now && styles.now)}
      style={topPx === undefined ? undefined : { position: 'absolute', top: topPx }}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-current={now ? 'true' : undefined}
    >
      <span className={classNames(styles.number, typeStyles.mono)}>
        {now ? <Meter moving={now === 'playing'} /> : numbered && index + 1}
      </span>
      <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width={88} alt="" className={styles.cover} />
      <div className={styles.title}>
        <a className={styles.open} dir="auto" href={songPath(song.youtube_id, contextId)}>
          {song.title}
        </a>
        <div className={styles.badges}>
          {song.new === 'true' && <Badge kind="new">New</Badge>}
          <Badge kind="plain" to={artistPath(song.author_name)} className={styles.artist ?? ''}>
            <span className={styles.clip}>{song.author_name}</span>
          </Badge>
          <Badge kind="category" to={playlistPath(song.category_id)} className={styles.narrow ?? ''}>
            <span className={styles.clip}>{song.category_name}</span>
          </Badge>
        </div>
      </div>
      <span className={styles.category}>
        <Badge kind="category" to={playlistPath(song.category_id)}>
          {song.category_name}
        </Badge>
      </span>
      <time className={styles.date} dateTime={song.date_added}>
        {formatLongDate(song.date_added)}
      </time>
      <span className={classNames(styles.length, typeStyles.mono)}>{song.duration === undefined ? '' : formatDuration(song.duration)}</span>
      <SongKeys song={song} />
    </li>
  )
})
