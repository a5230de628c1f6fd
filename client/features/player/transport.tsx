import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { VolumeControl } from '../../ui/volume-control.tsx'
import styles from './transport.module.css'

interface TransportProps {
  /** Whether the transport has the buttons for shuffle and loop. */
  hasModeButtons?: boolean
  /** Disables the buttons while the page's song is about to be opened. */
  disabled?: boolean
  className?: string | undefined
}

export function Transport({ hasModeButtons = false, disabled = false, className }: TransportProps) {
  const player = usePlayer()
  const status = usePlayerState((state) => state.status)
  const canNext = usePlayerState((state) => state.canNext)
  const canPrevious = usePlayerState((state) => state.canPrevious)
  const isShuffled = usePlayerState((state) => state.shuffle)
  const loopMode = usePlayerState((state) => state.loop)
  const hasSong = usePlayerState((state) => state.songId !== undefined)
  const showsPauseButton = disabled || status === 'playing' || status === 'loading'

  return (
    <div className={classNames(styles.buttons, className)}>
      {hasModeButtons && (
        <IconButton icon="shuffle" label="Shuffle" look="bright" pressed={isShuffled} onClick={() => player.setShuffle(!isShuffled)} />
      )}
      <IconButton icon="previous" label="Previous" look="bright" disabled={disabled || !canPrevious} onClick={() => player.previous()} />
      <IconButton
        icon={showsPauseButton ? 'pause' : 'play'}
        label={showsPauseButton ? 'Pause' : 'Play'}
        look="play"
        className={classNames(status === 'blocked' && styles.asked)}
        disabled={disabled || !hasSong}
        onClick={() => player.toggle()}
      />
      <IconButton icon="next" label="Next" look="bright" disabled={disabled || !canNext} onClick={() => player.next()} />
      {hasModeButtons && <IconButton icon="loop" label="Loop" look="bright" pressed={loopMode} onClick={() => player.setLoop(!loopMode)} />}
    </div>
  )
}

export function PlayerVolume() {
  const player = usePlayer()
  const volume = usePlayerState((state) => state.volume)
  const isMuted = usePlayerState((state) => state.muted)
  return (
    <VolumeControl
      volume={volume}
      muted={isMuted}
      onVolume={(value) => player.setVolume(value)}
      onMuted={(value) => player.setMuted(value)}
    />
  )
}
