import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './transport.module.css'

interface TransportProps {
  /** Shuffle and loop around the other keys. */
  modes?: boolean
  /** The song that these keys stand for is about to be opened: they wait for it, as they do while it loads. */
  awaited?: boolean
  className?: string | undefined
}

/** Previous, play and next. */
export function Transport({ modes = false, awaited = false, className }: TransportProps) {
  const player = usePlayer()
  const status = usePlayerState((state) => state.status)
  const canNext = usePlayerState((state) => state.canNext)
  const canPrevious = usePlayerState((state) => state.canPrevious)
  const shuffle = usePlayerState((state) => state.shuffle)
  const loop = usePlayerState((state) => state.loop)
  const known = usePlayerState((state) => state.songId !== undefined)
  const running = awaited || status === 'playing' || status === 'loading'

  return (
    <div className={classNames(styles.keys, className)}>
      {modes && <IconButton icon="shuffle" label="Shuffle" look="bright" pressed={shuffle} onClick={() => player.setShuffle(!shuffle)} />}
      <IconButton
        icon="previous"
        label="Previous"
        look="bright"
        className={styles.previous ?? ''}
        disabled={awaited || !canPrevious}
        onClick={() => player.previous()}
      />
      <IconButton
        icon={running ? 'pause' : 'play'}
        label={running ? 'Pause' : 'Play'}
        look="play"
        className={classNames(status === 'blocked' && styles.asked)}
        disabled={awaited || !known}
        onClick={() => player.toggle()}
      />
      <IconButton icon="next" label="Next" look="bright" disabled={awaited || !canNext} onClick={() => player.next()} />
      {modes && <IconButton icon="loop" label="Loop" look="bright" pressed={loop} onClick={() => player.setLoop(!loop)} />}
    </div>
  )
}
