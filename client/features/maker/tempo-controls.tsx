import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createCleanupScope, startTimeout } from '../../primitives/scope.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import { NumberField } from './number-field.tsx'
import { BPM_DECIMALS, formatDecimals, roundToDecimals, SPEED_DECIMALS, SPEED_RANGE } from './setting-values.ts'
import { addTap, computeTappedBpm, MAX_TAP_INTERVAL_MS, MIN_TAPS, NO_TAPS } from './tap-tempo.ts'
import styles from './tempo-controls.module.css'
import { BPM_RANGE, fitSpeed, isInBpmRange, parseLength } from './tempo-fit.ts'
import type { Engine, EngineState } from './use-maker.ts'

/**
 * Renders the controls of the song's tempo, which can be typed, tapped, halved and doubled, and the button that fits the speed to it. A new song needs a
 * new key, because the taps of another song do not count.
 */
export function TempoControls({ engine, state }: { engine: Engine; state: EngineState }) {
  const { sound, settings } = state
  const bpm = sound?.bpm
  const [tempoTaps, setTaps] = useState(NO_TAPS)
  const fittedSpeed = bpm === undefined ? undefined : fitSpeed(bpm, settings.pitch)

  const setBpm = (newBpm: number) => engine.setBpm(roundToDecimals(newBpm, BPM_DECIMALS, BPM_RANGE))
  const reportTap = (timeMs: number) => {
    const { isPlaying, monitor, rate } = engine.getSnapshot()
    const newTaps = addTap(tempoTaps, { timeMs, playbackRate: isPlaying && monitor === 'edited' ? rate : 1 })
    setTaps(newTaps)
    const newBpm = computeTappedBpm(newTaps)
    if (newBpm !== undefined && isInBpmRange(newBpm)) setBpm(newBpm)
  }
  const playedBpm = bpm === undefined ? undefined : bpm * state.rate
  /** A field for the target tempo. It sets the speed at which the song has this tempo, or the nearest allowed speed. */
  const setSpeedForBpm = (targetBpm: number) => {
    if (bpm !== undefined)
      engine.changeSettings({ speed: roundToDecimals(targetBpm / (bpm * 2 ** (settings.pitch / 12)), SPEED_DECIMALS, SPEED_RANGE) })
  }
  const isTappingTempo = tempoTaps.tapTimesMs.length > 0 && tempoTaps.tapTimesMs.length < MIN_TAPS
  const lastTapMs = tempoTaps.tapTimesMs.at(-1)
  // Hides the text that asks to keep tapping, because after this pause the next tap starts a new series.
  useEffect(() => (lastTapMs === undefined ? undefined : startTimeout(() => setTaps(NO_TAPS), MAX_TAP_INTERVAL_MS)), [lastTapMs])
  const hintText = describeHint(state, isTappingTempo)

  return (
    <>
      <div className={styles.buttons}>
        <Button
          variant="tertiary"
          className={styles.fit ?? ''}
          disabled={fittedSpeed === undefined}
          onClick={() => {
            if (fittedSpeed !== undefined) engine.changeSettings({ speed: fittedSpeed })
          }}
        >
          Fit 140-160 BPM
        </Button>
        {/* The buttons ×½ and ×2 correct the detected tempo, which may be half or double of the real one. */}
        <OctaveButton label="×½" bpmFactor={0.5} bpm={bpm} onChoose={(newBpm) => engine.setBpm(newBpm)} />
        <OctaveButton label="×2" bpmFactor={2} bpm={bpm} onChoose={(newBpm) => engine.setBpm(newBpm)} />
      </div>
      <div className={styles.entry}>
        <span className={styles.label} aria-hidden="true">
          Song’s BPM
        </span>
        <NumberField
          label="Song’s BPM"
          unit="BPM"
          value={bpm}
          valueText={bpm === undefined ? '' : formatDecimals(bpm, 0, BPM_DECIMALS)}
          disabled={sound === undefined}
          range={BPM_RANGE}
          isValid={isInBpmRange}
          onCommit={setBpm}
          onStep={(direction) => bpm !== undefined && setBpm(bpm + direction)}
        />
        <TapButton disabled={sound === undefined} onTap={reportTap} />
      </div>
      <div className={styles.entry}>
        <span className={styles.label} aria-hidden="true">
          Play at
        </span>
        <NumberField
          label="BPM to play at"
          unit="BPM"
          value={playedBpm}
          valueText={playedBpm === undefined ? '' : formatDecimals(playedBpm, 0, 1)}
          disabled={playedBpm === undefined}
          range={BPM_RANGE}
          isValid={isInBpmRange}
          onCommit={setSpeedForBpm}
          onStep={(direction) => playedBpm !== undefined && setSpeedForBpm(Math.round(playedBpm) + direction)}
        />
        <LengthField engine={engine} state={state} />
      </div>
      {hintText !== '' && <p className={classNames(styles.hint, typeStyles.legend)}>{hintText}</p>}
      <p className={typeStyles.hidden} role="status">
        {hintText === '' ? announceTempo(state) : hintText}
      </p>
    </>
  )
}

/** A field for the length of the result, which sets the speed. */
function LengthField({ engine, state: { sound, settings, rate, lengthS } }: { engine: Engine; state: EngineState }) {
  const { durationS } = sound ?? { durationS: 0 }
  /** The length in seconds at speed 1, and the reverb's tail, which has the same length at each speed. */
  const durationAtUnitSpeedS = durationS / 2 ** (settings.pitch / 12)
  const reverbTailS = lengthS - durationS / rate
  const speedRange = {
    min: durationAtUnitSpeedS / SPEED_RANGE.max + reverbTailS,
    max: durationAtUnitSpeedS / SPEED_RANGE.min + reverbTailS,
  }
  const setSpeedForLength = (playedSeconds: number) => {
    const limitedS = Math.min(speedRange.max, Math.max(speedRange.min, playedSeconds))
    engine.changeSettings({ speed: roundToDecimals(durationAtUnitSpeedS / (limitedS - reverbTailS), SPEED_DECIMALS, SPEED_RANGE) })
  }
  return (
    <NumberField
      label="Length to play"
      unit="min"
      value={sound && lengthS}
      valueText={sound ? formatDuration(Math.round(lengthS)) : ''}
      disabled={sound === undefined}
      range={speedRange}
      rangeText={`${formatDuration(Math.ceil(speedRange.min))} to ${formatDuration(Math.floor(speedRange.max))}`}
      parse={parseLength}
      isValid={(seconds) => seconds > 0}
      onCommit={setSpeedForLength}
      onStep={(direction) => setSpeedForLength(Math.round(lengthS) + direction)}
    />
  )
}

interface OctaveButtonProps {
  label: string
  bpmFactor: number
  bpm: number | undefined
  onChoose: (bpm: number) => void
}

const OctaveButton = ({ label, bpmFactor, bpm, onChoose }: OctaveButtonProps) => (
  <Button
    variant="tertiary"
    disabled={bpm === undefined || !isInBpmRange(bpm * bpmFactor)}
    onClick={() => bpm !== undefined && onChoose(bpm * bpmFactor)}
  >
    {label}
    <span className={typeStyles.hidden}> the song’s BPM</span>
  </Button>
)

/** Returns the text about the next possible action; empty if there is none. */
function describeHint({ sound, isDetectingTempo }: EngineState, isTapping: boolean): string {
  if (sound === undefined) return ''
  if (isTapping) return 'Keep tapping on the beat.'
  return sound.bpm === undefined && !isDetectingTempo ? 'Tap along with the song, or type its BPM.' : ''
}

/** Returns the tempo as a text that screen readers announce, because the field changes while it is not focused. */
const announceTempo = ({ sound }: EngineState): string =>
  sound?.bpm === undefined ? '' : `The song has ${formatDecimals(sound.bpm, 0, BPM_DECIMALS)} BPM.`

/** A button that calls `onTap` as soon as a pointer goes down on it or a key activates it, with the time of the event in milliseconds. */
function TapButton({ disabled, onTap }: { disabled: boolean; onTap: (timeMs: number) => void }) {
  const tapButton = useRef<HTMLButtonElement>(null)
  const reportTap = useEffectEvent(onTap)
  useEffect(() => {
    const scope = createCleanupScope()
    if (tapButton.current === null) return
    scope.listen(tapButton.current, 'pointerdown', (event) => {
      if (event.button === 0) reportTap(event.timeStamp)
    })
    // `detail`, the count of clicks, is 0 for clicks by a key or by assistive technology.
    scope.listen(tapButton.current, 'click', (event) => {
      if (event.detail === 0) reportTap(event.timeStamp)
    })
    return scope.dispose
  }, [])
  return (
    <Button ref={tapButton} variant="tertiary" className={styles.tap ?? ''} disabled={disabled}>
      Tap<span className={typeStyles.hidden}> the beat</span>
    </Button>
  )
}
