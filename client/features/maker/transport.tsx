import { useCallback, useLayoutEffect, useRef } from 'react'
import { type Engine, type EngineState, useMakerPosition } from '../../bindings/maker.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Key } from '../../ui/key.tsx'
import { Slider } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import { LevelMeter } from './level-meter.tsx'
import { Segments } from './segments.tsx'
import styles from './transport.module.css'
import { formatClock } from './wave-view.ts'

interface TransportProps {
  engine: Engine
  state: EngineState
  onPlay: () => void
}

/** Play, the time of what is heard, the loop, the comparison and the levels. */
export function Transport({ engine, state, onPlay }: TransportProps) {
  const { sound, loop, heard } = state
  const rate = heard === 'edited' ? state.rate : 1
  const time = useRef<HTMLSpanElement>(null)
  const positionS = useRef(0)
  const showTime = useCallback(() => {
    if (time.current) time.current.textContent = formatClock(positionS.current / rate)
  }, [rate])
  useMakerPosition(engine, ({ sourceS }) => {
    positionS.current = sourceS
    showTime()
  })
  // Another rate is another time, at the same place.
  useLayoutEffect(showTime, [showTime])
  return (
    <div className={styles.transport}>
      <PlayKey state={state} onPlay={onPlay} className={styles.wide} />
      <span className={classNames(styles.time, typeStyles.mono)}>
        <span ref={time}>0:00.00</span> <span className={typeStyles.muted}>/ {formatClock(sound ? sound.durationS / rate : 0)}</span>
      </span>
      <Key
        variant="flat"
        pressed={loop.on}
        disabled={!sound}
        onClick={() => engine.setLoop(loop.on || !sound ? { ...loop, on: false } : { on: true, startS: loop.startS, endS: loop.endS })}
      >
        Loop
      </Key>
      <Compare engine={engine} state={state} />
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
      <LevelMeter engine={engine} playing={state.playing} />
    </div>
  )
}

export function PlayKey({ state, onPlay, className }: { state: EngineState; onPlay: () => void; className?: string | undefined }) {
  return (
    <IconButton
      icon={state.playing ? 'pause' : 'play'}
      label={state.playing ? 'Pause' : 'Play'}
      look="play"
      {...(className !== undefined && { className })}
      onClick={onPlay}
    />
  )
}

function Compare({ engine, state }: { engine: Engine; state: EngineState }) {
  return (
    <Segments
      label="Compare"
      value={state.heard}
      options={[
        { value: 'original', label: 'A  Original' },
        { value: 'edited', label: 'B  Edited' },
      ]}
      onChange={(heard) => engine.compare(heard)}
    />
  )
}
