import { type ReactNode, useState } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import { readSharedPlaylistToken } from '../../../contract/playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import { PinPlaylistButton } from '../../components/pin-playlist-button.tsx'
import { PlaylistBadge } from '../../components/playlist-card.tsx'
import { createPlaylistPath, createSongPath, useNavigateTo } from '../../hooks/paths.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatLongDuration, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './playlist-head.module.css'

interface PlaylistHeadProps {
  playlist: Playlist
  /** `undefined` while the songs are being loaded. */
  songs: readonly Song[] | undefined
  /** Whether songs of the playlist are still missing on this device, so that the head leaves the place of their number and length empty. */
  isPartial?: boolean
  /** The buttons that follow those for playing the playlist. */
  endButtons?: ReactNode
  /** Content above the picture. */
  mosaic?: ReactNode
}

/** Descriptions of more characters are folded on phones. */
const FOLDED_DESCRIPTION_LENGTH = 90

/**
 * Matches titles that contain a word too long for one line in the largest font size on a narrow screen. Such titles use a smaller font
 * size.
 */
const LONG_WORD = /\S{14}/

const isSharedPlaylist = ({ id }: Playlist) => readSharedPlaylistToken(id) !== undefined

/** Renders the title, description and play buttons of a playlist. */
export function PlaylistHead({ playlist, songs, isPartial = false, endButtons, mosaic }: PlaylistHeadProps) {
  const [isDescriptionOpen, setOpen] = useState(false)
  const isLongDescription = playlist.description.length > FOLDED_DESCRIPTION_LENGTH
  const isCategoryPlaylist = playlist.category_id === playlist.id
  return (
    <header className={styles.head}>
      <Cover src={playlist.image_url} ratio="square" width="(max-width: 600px) 88vw, 400px" alt="" priority className={styles.art}>
        {mosaic}
      </Cover>
      <div className={styles.about}>
        <p className={styles.meta}>
          <PlaylistBadge playlist={playlist} />
          {!isCategoryPlaylist && playlist.category_name !== '' && (
            <a className={styles.category} dir="auto" href={createPlaylistPath(playlist.category_id)}>
              {playlist.category_name}
            </a>
          )}
          {/* The category of a shared playlist has the name of the owner. */}
          {isSharedPlaylist(playlist) && playlist.category_name !== '' && (
            <span>
              by <bdi>{playlist.category_name}</bdi>
            </span>
          )}
          <span className={typeStyles.mono}>
            {isPartial ? '\u00a0' : formatPlural(playlist.song_count, 'song') + formatTotalDuration(playlist, songs)}
          </span>
        </p>
        <h1
          dir="auto"
          className={classNames(
            typeStyles.display,
            typeStyles.d3,
            chooseTallScriptClass(playlist.title),
            LONG_WORD.test(playlist.title) && styles.long,
          )}
        >
          {playlist.title}
        </h1>
        {playlist.description !== '' && (
          <p className={classNames(typeStyles.lead, styles.description, isLongDescription && !isDescriptionOpen && styles.folded)}>
            <LinkedText text={playlist.description} />
          </p>
        )}
        {isLongDescription && (
          <button
            type="button"
            className={classNames(typeStyles.link, styles.unfold)}
            aria-expanded={isDescriptionOpen}
            onClick={() => setOpen(!isDescriptionOpen)}
          >
            {isDescriptionOpen ? 'Show less' : 'Read more'}
          </button>
        )}
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
        {songs === undefined ? <PlaylistButtonsPlaceholder /> : <PlayButtons playlist={playlist} songs={songs} endButtons={endButtons} />}
      </div>
    </header>
  )
}

/** Formats the total of the known durations, prefixed with 'over' if some are unknown. */
function formatTotalDuration({ duration = 0 }: Playlist, songs: readonly Song[] = []): string {
  if (duration <= 0) return ''
  return `, ${songs.every((song) => song.duration !== undefined) ? '' : 'over '}${formatLongDuration(duration)}`
}

/** Renders the placeholder of the buttons while the songs are being loaded. */
export const PlaylistButtonsPlaceholder = () => (
  <div className={styles.buttons} aria-hidden="true">
    <Skeleton className={styles.buttonBone} />
    <Skeleton className={styles.buttonBone} />
  </div>
)

function PlayButtons({ playlist, songs, endButtons }: PlaylistHeadProps & { songs: readonly Song[] }) {
  const { id: playlistId, title, song_count } = playlist
  const player = usePlayer()
  const navigateTo = useNavigateTo()
  const isPlaylistPlaying = usePlayerState((state) => state.contextId === playlistId && state.status === 'playing')
  const firstSong = songs[0]
  const playShuffled = () => {
    const song = songs[Math.floor(Math.random() * songs.length)]
    if (song) navigateTo(createSongPath(song.youtube_id, playlistId, { shuffle: true }))
  }
  return (
    <div className={styles.buttons}>
      {isPlaylistPlaying ? (
        <Button size="big" variant="primary" icon="pause" onClick={() => player.pause()}>
          Pause
        </Button>
      ) : (
        firstSong && (
          <Button size="big" variant="primary" icon="play" to={createSongPath(firstSong.youtube_id, playlistId)}>
            Play
          </Button>
        )
      )}
      {firstSong && (
        <>
          <Button size="big" icon="shuffle" onClick={playShuffled}>
            Shuffle
          </Button>
          {/* A shared playlist cannot be downloaded for offline use, because its owner can make it private again. */}
          {!isSharedPlaylist(playlist) && <PinPlaylistButton id={playlistId} title={title} songCount={song_count} />}
        </>
      )}
      {endButtons}
    </div>
  )
}
