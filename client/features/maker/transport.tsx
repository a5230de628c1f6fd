import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Slider } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import { LevelMeter } from './level-meter.tsx'
import segmentStyles from './segmented-control.module.css'
import styles from './transport.module.css'
import { type Engine, type EngineState, useMakerPosition } from './use-maker.ts'
import { formatClock } from './wave-view.ts'

interface TransportProps {
  engine: Engine
  state: EngineState
  onPlay: () => void
  children: ReactNode
}

/**
 * Renders the play button, the playback position, the loop button, the switch between edited and original sound, volume, level meter and
 * the download button.
 */
export function Transport({ engine, state, onPlay, children }: TransportProps) {
  const { sound, loop, monitor } = state
  const playbackRate = monitor === 'edited' ? state.rate : 1
  const timeElement = useRef<HTMLSpanElement>(null)
  const positionS = useRef(0)
  const showTime = useCallback(() => {
    if (timeElement.current) timeElement.current.textContent = formatClock(positionS.current / playbackRate)
  }, [playbackRate])
  useMakerPosition(engine, ({ sourceS }) => {
    positionS.current = sourceS
    showTime()
  })
  // Updates the displayed time when the rate changes, because the time depends on the rate.
  useLayoutEffect(showTime, [showTime])
  return (
    <div className={styles.transport}>
      <div className={styles.wide}>
        <PlayButton state={state} onPlay={onPlay} />
      </div>
      <span className={classNames(styles.time, typeStyles.mono)}>
        <span ref={timeElement}>0:00.00</span>{' '}
        <span className={typeStyles.muted}>/ {formatClock(sound ? sound.durationS / playbackRate : 0)}</span>
      </span>
      <Button
        variant="tertiary"
        pressed={sound !== undefined && loop.on}
        disabled={!sound}
        onClick={() => engine.setLoop(loop.on || !sound ? { ...loop, on: false } : { on: true, startS: loop.startS, endS: loop.endS })}
      >
        Loop
      </Button>
      <div className={styles.wide}>
        <EditedOrOriginalSwitch engine={engine} state={state} />
      </div>
      <div className={styles.output}>
        <div className={styles.volume}>
          <span className={typeStyles.legend} aria-hidden="true">
            Volume
          </span>
          <Slider
            label="Preview volume"
            look="scrub"
            min={0}
            max={1}
            step={0.01}
            value={state.volume}
            valueText={`${Math.round(state.volume * 100)} %`}
            onChange={(volume) => engine.setVolume(volume)}
          />
        </div>
        <LevelMeter engine={engine} isPlaying={state.isPlaying} />
      </div>
      <div className={classNames(styles.wide, styles.download)}>{children}</div>
    </div>
  )
}

/** The button is highlighted once there is a song to play. */
export function PlayButton({ state, onPlay }: { state: EngineState; onPlay: () => void }) {
  return (
    <IconButton
      icon={state.isPlaying ? 'pause' : 'play'}
      label={state.isPlaying ? 'Pause' : 'Play'}
      look={state.sound ? 'play' : 'bright'}
      onClick={onPlay}
    />
  )
}

/** Selects whether the edited or the original sound is played. `isShort`: the options are shown as letters only. */
export function EditedOrOriginalSwitch({
  engine,
  state,
  isShort: short = false,
}: {
  engine: Engine
  state: EngineState
  isShort?: boolean
}) {
  const nameStyle = short ? typeStyles.hidden : undefined
  return (
    <SegmentedControl
      label="Compare"
      value={state.monitor}
      options={[
        {
          value: 'original',
          label: (
            <span>
              A<span className={nameStyle}> Original</span>
            </span>
          ),
        },
        {
          value: 'edited',
          label: (
            <span>
              B<span className={nameStyle}> Edited</span>
            </span>
          ),
        },
      ]}
      onChange={(monitor) => engine.setMonitor(monitor)}
    />
  )
}

interface SegmentedControlProps<T extends string> {
  label: string
  options: readonly { value: T; label: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** Renders a few options side by side, one of which is selected. */
function SegmentedControl<T extends string>({ label, options, value, onChange }: SegmentedControlProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div role="group" aria-label={label} className={segmentStyles.control}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          <span className={segmentStyles.led} />
          {option.label}
        </button>
      ))}
    </div>
  )
}
