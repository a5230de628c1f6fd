import { useRef } from 'react'
import { useIsOfflineAndNotPlaying, usePlayer, usePlayerState, usePosition } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import { Slider, setSliderValue } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './scrubber.module.css'

// If the slider is dragged to its end, the seek stops this many seconds before the end of the song, because a seek to the very end would
// end the song.
const END_MARGIN_SECONDS = 1
/** The distance between two tick marks in seconds. For a long song, the distance is a multiple of this. */
const TICK_DISTANCE_SECONDS = 5
const MAX_TICKS = 72

export function Scrubber({
  hasTicks = false,
  hasTimes = true,
  className,
}: {
  hasTicks?: boolean
  hasTimes?: boolean
  className?: string | undefined
}) {
  const player = usePlayer()
  const durationSeconds = usePlayerState((state) => state.durationSeconds)
  const isOffline = useIsOfflineAndNotPlaying()
  const input = useRef<HTMLInputElement>(null)
  const elapsedElement = useRef<HTMLSpanElement>(null)
  /** Whether the slider is being dragged. During a drag, the playback position does not move the slider. */
  const isDragging = useRef(false)
  const sliderMax = Math.max(1, durationSeconds)

  const showPosition = (positionSeconds: number) => {
    if (elapsedElement.current) elapsedElement.current.textContent = formatDuration(positionSeconds)
    if (input.current && !isDragging.current) {
      if (durationSeconds > 0)
        setSliderValue(input.current, positionSeconds, `${formatDuration(positionSeconds)} of ${formatDuration(durationSeconds)}`)
      // Without a known length the slider stays at its start.
      else setSliderValue(input.current, 0, formatDuration(positionSeconds))
    }
  }
  usePosition(({ positionSeconds }) => {
    if (!isDragging.current) showPosition(positionSeconds)
  })

  const tickDistanceSeconds = TICK_DISTANCE_SECONDS * Math.max(1, Math.ceil(sliderMax / TICK_DISTANCE_SECONDS / MAX_TICKS))
  return (
    <div className={classNames(styles.scrubber, className)}>
      {hasTimes && <span ref={elapsedElement} className={classNames(typeStyles.mono, styles.time)} aria-hidden="true" />}
      <Slider
        ref={input}
        label="Position"
        look="scrub"
        min={0}
        max={sliderMax}
        step={1}
        {...(hasTicks && durationSeconds > 0 ? { tickCount: sliderMax / tickDistanceSeconds } : {})}
        disabled={isOffline || durationSeconds === 0}
        onChange={(positionSeconds) => {
          isDragging.current = true
          if (elapsedElement.current) elapsedElement.current.textContent = formatDuration(positionSeconds)
        }}
        onCommit={(positionSeconds) => {
          if (!isDragging.current) return
          isDragging.current = false
          player.seek(Math.min(positionSeconds, Math.max(0, durationSeconds - END_MARGIN_SECONDS)))
        }}
      />
      {hasTimes && (
        <span className={classNames(typeStyles.mono, styles.time, styles.length)} aria-hidden="true">
          {durationSeconds > 0 && formatDuration(durationSeconds)}
        </span>
      )}
    </div>
  )
}
