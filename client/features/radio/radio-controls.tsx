import { useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { VolumeControl } from '../../ui/volume-control.tsx'
import styles from './radio-controls.module.css'
import { type SongOnAir, useRadio, useRadioPosition, useRadioState } from './use-radio.ts'

interface RadioControlsProps {
  onAir: SongOnAir
  /** The suffix of the play button's accessible name, such as ` the radio` in `Play the radio`. */
  playLabelSuffix?: string
  className: string | undefined
  buttonClassName?: string
}

/** The play button, the position in the song on air, and the volume. */
export function RadioControls({ onAir, playLabelSuffix: labelSuffix = '', className, buttonClassName }: RadioControlsProps) {
  const radio = useRadio()
  const volume = useRadioState((state) => state.volume)
  const isMuted = useRadioState((state) => state.muted)
  const canPause = useRadioState((state) => state.canPause)
  return (
    <div className={className}>
      <IconButton
        icon={canPause ? 'pause' : 'play'}
        label={`${canPause ? 'Pause' : 'Play'}${labelSuffix}`}
        look="play"
        size="l"
        className={classNames(buttonClassName)}
        onClick={() => radio.toggle()}
      />
      <RadioProgress key={onAir.start_time} durationSeconds={onAir.duration} />
      <VolumeControl
        volume={volume}
        muted={isMuted}
        onVolume={(value) => radio.setVolume(value)}
        onMuted={(value) => radio.setMuted(value)}
      />
    </div>
  )
}

/** Shows the position in the song on air. It is not a control, because a radio has no seeking. */
function RadioProgress({ durationSeconds }: { durationSeconds: number }) {
  const lineElement = useRef<HTMLDivElement>(null)
  const elapsedElement = useRef<HTMLSpanElement>(null)
  useRadioPosition(({ positionSeconds }) => {
    const elapsedSeconds = Math.min(Math.max(0, positionSeconds), durationSeconds)
    lineElement.current?.style.setProperty('--at', String(durationSeconds > 0 ? elapsedSeconds / durationSeconds : 0))
    const text = formatDuration(elapsedSeconds)
    if (elapsedElement.current && elapsedElement.current.textContent !== text) elapsedElement.current.textContent = text
  })
  return (
    <div className={styles.progress}>
      <div ref={lineElement} className={styles.line} aria-hidden="true" />
      <p className={classNames(typeStyles.mono, styles.times)}>
        <span>
          <span className={typeStyles.hidden}>Position </span>
          <span ref={elapsedElement} />
        </span>
        <span className={typeStyles.muted}>
          <span className={typeStyles.hidden}>Length </span>
          {formatDuration(durationSeconds)}
        </span>
      </p>
    </div>
  )
}
