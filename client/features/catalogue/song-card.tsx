import { memo } from 'react'
import type { Song } from '../../../contract/song.ts'
import { songPath } from '../../bindings/paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cover } from '../../ui/cover.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './song-card.module.css'

/** A song in a grid: one link, with its picture, title and artist. */
export const SongCard = memo(function SongCard({ song, contextId }: { song: Song; contextId: string }) {
  return (
    <a className={styles.card} href={songPath(song.youtube_id, contextId)}>
      <span className={styles.picture}>
        <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width="(max-width: 600px) 50vw, 320px" alt="" />
        {song.new === 'true' && (
          <Badge kind="new" className={styles.badge ?? ''}>
            New
          </Badge>
        )}
      </span>
      <strong className={styles.title}>{song.title}</strong>
      <span className={typeStyles.muted}>{song.author_name}</span>
    </a>
  )
})
