import { useRef } from 'react'
import { useFavoriteToggle } from '../../hooks/favorites.ts'
import { createSongPath } from '../../hooks/paths.ts'
import { useHasVideoPlaceholder, useIsOfflineAndNotPlaying, usePlayerState, usePosition } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import barStyles from '../../ui/docked-bar.module.css'
import { formatDuration } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dock.module.css'
import { EditCover, EditLine } from './dock-edit.tsx'
import timeStyles from './playback-time.module.css'
import { PlayerMessage } from './player-message.tsx'
import { QueueSheetButton } from './queue-sheet.tsx'
import { Scrubber } from './scrubber.tsx'
import { PlayerVolume, Transport } from './transport.tsx'

export { PlayerMessage }

/**
 * The visible part of the dock: the current song and the player's controls. On the song page it is shown while the page's own player is
 * scrolled out of view.
 */
export function DockBar({ folded }: { folded: boolean }) {
  const song = usePlayerState((state) => state.current)
  const contextId = usePlayerState((state) => state.contextId)
  const isShuffled = usePlayerState((state) => state.shuffle)
  const hasFailed = usePlayerState((state) => state.error !== undefined || state.status === 'blocked')
  const isEditPlaying = song?.artwork !== undefined
  const { isFavorite: favorite, toggle } = useFavoriteToggle(isEditPlaying ? undefined : song)
  const hasVideoPlaceholder = useHasVideoPlaceholder()
  const hasProblem = useIsOfflineAndNotPlaying() || hasFailed

  return (
    <section
      aria-label={hasVideoPlaceholder ? 'Docked player' : 'Player'}
      className={classNames(barStyles.bar, styles.dock, (folded || isEditPlaying) && styles.folded, hasProblem && styles.troubled)}
      data-edit={isEditPlaying || undefined}
    >
      <div className={styles.now}>
        {isEditPlaying ? (
          <EditCover edit={song} />
        ) : (
          song && <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width={85} alt="" className={styles.cover} />
        )}
        {song ? (
          <a
            className={classNames(barStyles.title, styles.title)}
            dir="auto"
            href={isEditPlaying ? '/account/maker' : createSongPath(song.youtube_id, contextId, { shuffle: isShuffled })}
          >
            {song.title}
          </a>
        ) : (
          <span className={classNames(barStyles.title, styles.title, typeStyles.muted)}>Loading...</span>
        )}
        {isEditPlaying ? (
          <EditLine artist={song.author_name} className={classNames(barStyles.artist, styles.artist)} messageClassName={styles.trouble} />
        ) : hasProblem ? (
          <PlayerMessage className={styles.trouble} isBrief />
        ) : (
          <span className={classNames(barStyles.artist, styles.artist)} dir="auto">
            {song?.author_name}
          </span>
        )}
      </div>
      <Scrubber hasTimes={false} className={styles.scrubber} />
      <Transport hasModeButtons className={styles.buttons} />
      <div className={styles.ends}>
        <PlaybackTime className={styles.time} />
        {song && !isEditPlaying && (
          <IconButton
            icon={favorite ? 'heart-filled' : 'heart'}
            label="Favorite"
            look="bright"
            pressed={favorite}
            className={styles.heart ?? ''}
            onClick={toggle}
          />
        )}
        <div className={styles.volume}>
          <PlayerVolume />
        </div>
        <QueueSheetButton />
      </div>
    </section>
  )
}

/**
 * Shows the playback position and the song's length. Hidden from screen readers, because the slider `Position` has the same information.
 */
function PlaybackTime({ className }: { className?: string | undefined }) {
  const durationSeconds = usePlayerState((state) => state.durationSeconds)
  const elapsedElement = useRef<HTMLSpanElement>(null)
  usePosition(({ positionSeconds }) => {
    if (elapsedElement.current) elapsedElement.current.textContent = formatDuration(positionSeconds)
  })
  return (
    <span className={classNames(typeStyles.mono, className)} aria-hidden="true">
      <span ref={elapsedElement} />
      {durationSeconds > 0 && <span className={timeStyles.length}> / {formatDuration(durationSeconds)}</span>}
    </span>
  )
}
