import { useCallback, useLayoutEffect, useRef } from 'react'
import { type Engine, type EngineState, useMakerPosition } from '../../bindings/maker.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Slider } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import { LevelMeter } from './level-meter.tsx'
import { SegmentedControl } from './segmented-control.tsx'
import styles from './transport.module.css'
import { formatClock } from './wave-view.ts'

interface TransportProps {
  engine: Engine
  state: EngineState
  onPlay: () => void
}

/** Renders the play button, the time of the monitor, loop, comparison, volume and level meter. */
export function Transport({ engine, state, onPlay }: TransportProps) {
  const { sound, loop, monitor } = state
  const rate = monitor === 'edited' ? state.rate : 1
  const timeElement = useRef<HTMLSpanElement>(null)
  const positionS = useRef(0)
  const showTime = useCallback(() => {
    if (timeElement.current) timeElement.current.textContent = formatClock(positionS.current / rate)
  }, [rate])
  useMakerPosition(engine, ({ sourceS }) => {
    positionS.current = sourceS
    showTime()
  })
  // Shows the time again when the rate changes, because it depends on the rate.
  useLayoutEffect(showTime, [showTime])
  return (
    <div className={styles.transport}>
      <PlayButton state={state} onPlay={onPlay} className={styles.wide} />
      <span className={classNames(styles.time, typeStyles.mono)}>
        <span ref={timeElement}>0:00.00</span> <span className={typeStyles.muted}>/ {formatClock(sound ? sound.durationS / rate : 0)}</span>
      </span>
      <Button
        variant="tertiary"
        pressed={loop.on}
        disabled={!sound}
        onClick={() => engine.setLoop(loop.on || !sound ? { ...loop, on: false } : { on: true, startS: loop.startS, endS: loop.endS })}
      >
        Loop
      </Button>
      <MonitorSwitch engine={engine} state={state} />
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
      <LevelMeter engine={engine} playing={state.isPlaying} />
    </div>
  )
}

export function PlayButton({ state, onPlay, className }: { state: EngineState; onPlay: () => void; className?: string | undefined }) {
  return (
    <IconButton
      icon={state.isPlaying ? 'pause' : 'play'}
      label={state.isPlaying ? 'Pause' : 'Play'}
      look="play"
      {...(className !== undefined && { className })}
      onClick={onPlay}
    />
  )
}

function MonitorSwitch({ engine, state }: { engine: Engine; state: EngineState }) {
  return (
    <SegmentedControl
      label="Compare"
      value={state.monitor}
      options={[
        { value: 'original', label: 'A  Original' },
        { value: 'edited', label: 'B  Edited' },
      ]}
      onChange={(monitor) => engine.setMonitor(monitor)}
    />
  )
}
