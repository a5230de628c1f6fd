import { useRef } from 'react'
import { usePlayerState, usePosition } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './playback-time.module.css'

/** Shows the playback position and the song's length. Hidden from screen readers, to which the slider `Position` says the same. */
export function PlaybackTime({ className }: { className?: string | undefined }) {
  const durationSeconds = usePlayerState((state) => state.durationSeconds)
  const elapsed = useRef<HTMLSpanElement>(null)
  usePosition(({ positionSeconds }) => {
    if (elapsed.current) elapsed.current.textContent = formatDuration(positionSeconds)
  })
  return (
    <span className={classNames(typeStyles.mono, className)} aria-hidden="true">
      <span ref={elapsed} />
      {durationSeconds > 0 && <span className={styles.length}> / {formatDuration(durationSeconds)}</span>}
    </span>
  )
}
