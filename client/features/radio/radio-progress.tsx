import { useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './radio-progress.module.css'
import { useRadioPosition } from './use-radio.ts'

/** Shows the position in the song on air. It is not a control, because a radio has no seeking. */
export function RadioProgress({ durationSeconds }: { durationSeconds: number }) {
  const line = useRef<HTMLDivElement>(null)
  const elapsed = useRef<HTMLSpanElement>(null)
  useRadioPosition(({ positionSeconds }) => {
    const seconds = Math.min(Math.max(0, positionSeconds), durationSeconds)
    line.current?.style.setProperty('--at', String(durationSeconds > 0 ? seconds / durationSeconds : 0))
    const text = formatDuration(seconds)
    if (elapsed.current && elapsed.current.textContent !== text) elapsed.current.textContent = text
  })
  return (
    <div className={styles.progress}>
      <div ref={line} className={styles.line} aria-hidden="true" />
      <p className={classNames(typeStyles.mono, styles.times)}>
        <span>
          <span className={typeStyles.hidden}>Position </span>
          <span ref={elapsed} />
        </span>
        <span className={typeStyles.muted}>
          <span className={typeStyles.hidden}>Length </span>
          {formatDuration(durationSeconds)}
        </span>
      </p>
    </div>
  )
}
