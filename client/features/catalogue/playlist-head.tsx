import type { ReactNode } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import type { Song } from '../../../contract/song.ts'
import { useGo } from '../../bindings/go.ts'
import { playlistPath, songPath } from '../../bindings/paths.ts'
import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatLongDuration, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import { linkify } from '../../ui/linkify.tsx'
import typeStyles from '../../ui/type.module.css'
import { PlaylistBadge } from './playlist-card.tsx'
import styles from './playlist-head.module.css'

interface PlaylistHeadProps {
  playlist: Playlist
  songs: readonly Song[]
  /** The key that keeps it on this device. */
  keep: ReactNode
}

/** What a playlist is, and the two ways to play it. */
export function PlaylistHead({ playlist, songs, keep }: PlaylistHeadProps) {
  const isCategory = playlist.category_id === playlist.id
  return (
    <header className={styles.head}>
      <Cover src={playlist.image_url} ratio="square" width="(max-width: 600px) 88vw, 400px" alt="" priority className={styles.art} />
      <div className={styles.about}>
        <p className={styles.meta}>
          <PlaylistBadge playlist={playlist} />
          {!isCategory && playlist.category_name !== '' && (
            <a className={styles.category} href={playlistPath(playlist.category_id)}>
              {playlist.category_name}
            </a>
          )}
          <span className={typeStyles.mono}>
            {formatPlural(playlist.song_count, 'song')}
            {totalLength(playlist, songs)}
          </span>
        </p>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{playlist.title}</h1>
        {playlist.description !== '' && <p className={classNames(typeStyles.lead, styles.description)}>{linkify(playlist.description)}</p>}
        {/^https?:\/\//i.test(playlist.description_url) && (
          <a
            className={classNames(typeStyles.link, styles.further)}
            href={playlist.description_url}
            target="_blank"
            rel="noopener nofollow ugc"
          >
            More about this playlist
            <Icon name="external" size="s" />
          </a>
        )}
        {songs.length > 0 && <PlayKeys playlistId={playlist.id} songs={songs} keep={keep} />}
      </div>
    </header>
  )
}

/** The sum of the known lengths; 'over' it where some are not known. */
function totalLength({ duration = 0 }: Playlist, songs: readonly Song[]): string {
  if (duration <= 0) return ''
  return `, ${songs.every((song) => song.duration !== undefined) ? '' : 'over '}${formatLongDuration(duration)}`
}

function PlayKeys({ playlistId, songs, keep }: { playlistId: string; songs: readonly Song[]; keep: ReactNode }) {
  const player = usePlayer()
  const go = useGo()
  const playing = usePlayerState((state) => state.contextId === playlistId && state.status === 'playing')
  const first = songs[0]
  const shuffle = () => {
    const song = songs[Math.floor(Math.random() * songs.length)]
    if (song) go(songPath(song.youtube_id, playlistId, { shuffle: true }))
  }
  return (
    <div className={styles.keys}>
      {playing ? (
        <Key size="big" variant="lit" icon="pause" onClick={() => player.pause()}>
          Pause
        </Key>
      ) : (
        first && (
          <Key size="big" variant="lit" icon="play" to={songPath(first.youtube_id, playlistId)}>
            Play
          </Key>
        )
      )}
      <Key size="big" icon="shuffle" onClick={shuffle}>
        Shuffle
      </Key>
      {keep}
    </div>
  )
}
