import { Skeleton } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './open-file.module.css'

/** Reserves the space of the waveform while it is not known whether a saved song will be restored. */
export const WaveformPlaceholder = () => (
  <div className={styles.place} aria-busy="true">
    <span className={typeStyles.hidden} role="status">
      Loading...
    </span>
    <div className={styles.words} aria-hidden="true">
      <Skeleton width="min(100%, 24rem)" height="var(--hit-big)" />
    </div>
  </div>
)
