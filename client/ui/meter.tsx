import { classNames } from './class-names.ts'
import styles from './meter.module.css'
import typeStyles from './type.module.css'

/** Says that a song is the player's; its bars move while it plays. */
export function Meter({ moving }: { moving: boolean }) {
  return (
    <span className={classNames(styles.meter, moving && styles.moving)}>
      <i />
      <i />
      <i />
      <i />
      <span className={typeStyles.hidden}>{moving ? 'Playing' : 'Paused'}</span>
    </span>
  )
}
