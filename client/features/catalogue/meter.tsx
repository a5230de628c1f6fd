import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './meter.module.css'

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
