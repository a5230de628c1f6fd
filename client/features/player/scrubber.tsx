import { useRef } from 'react'
import { usePlayer, usePlayerState, usePosition } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import { paintSlider, Slider } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './scrubber.module.css'
import { useStranded } from './use-stranded.ts'

// The end itself would end the song: what lies under a finger at the edge is still part of it.
const END_MARGIN_SECONDS = 1
/** A tick every so many seconds, so that the ruler is a real scale. */
const TICK_SECONDS = 5
const MOST_TICKS = 72

/** The song's ruler: where it is, and the way to another place in it. */
export function Scrubber({ ticks = false, times = true, className }: { ticks?: boolean; times?: boolean; className?: string | undefined }) {
  const player = usePlayer()
  const durationSeconds = usePlayerState((state) => state.durationSeconds)
  const stranded = useStranded()
  const input = useRef<HTMLInputElement>(null)
  const elapsed = useRef<HTMLSpanElement>(null)
  /** A hand or a key is moving it: the song's own progress must not pull it away. */
  const held = useRef(false)
  const max = Math.max(1, durationSeconds)

  const show = (seconds: number) => {
    if (elapsed.current) elapsed.current.textContent = formatDuration(seconds)
    if (input.current && !held.current) {
      if (durationSeconds > 0) paintSlider(input.current, seconds, `${formatDuration(seconds)} of ${formatDuration(durationSeconds)}`)
      // Of a length that is not known, no place can be shown.
      else paintSlider(input.current, 0, formatDuration(seconds))
    }
  }
  usePosition(({ positionSeconds }) => {
    if (!held.current) show(positionSeconds)
  })

  const every = TICK_SECONDS * Math.max(1, Math.ceil(max / TICK_SECONDS / MOST_TICKS))
  return (
    <div className={classNames(styles.scrubber, className)}>
      {times && <span ref={elapsed} className={classNames(typeStyles.mono, styles.time)} aria-hidden="true" />}
      <Slider
        ref={input}
        label="Position"
        look="scrub"
        min={0}
        max={max}
        step={1}
        {...(ticks && durationSeconds > 0 ? { ticks: max / every } : {})}
        disabled={stranded || durationSeconds === 0}
        onChange={(seconds) => {
          held.current = true
          if (elapsed.current) elapsed.current.textContent = formatDuration(seconds)
        }}
        onCommit={(seconds) => {
          if (!held.current) return
          held.current = false
          player.seek(Math.min(seconds, Math.max(0, durationSeconds - END_MARGIN_SECONDS)))
        }}
      />
      {times && (
        <span className={classNames(typeStyles.mono, styles.time, styles.length)} aria-hidden="true">
          {durationSeconds > 0 && formatDuration(durationSeconds)}
        </span>
      )}
    </div>
  )
}
