import { classNames } from './class-names.ts'
import styles from './playing-indicator.module.css'
import typeStyles from './type.module.css'

/** Marks the current song of the player with level bars, animated while the song plays. */
export function PlayingIndicator({ isPlaying }: { isPlaying: boolean }) {
  return (
    <span className={classNames(styles.indicator, isPlaying && styles.playing)}>
      <i />
      <i />
      <i />
      <i />
      <span className={typeStyles.hidden}>{isPlaying ? 'Playing' : 'Paused'}</span>
    </span>
  )
}
