import type { CSSProperties } from 'react'
import type { Engine, EngineState } from '../../bindings/maker.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './display.module.css'
import { formatDecimals, SPEED_DECIMALS } from './setting-values.ts'
import { COUNTED_BPM, FIT_BPM, fitSpeed } from './tempo-fit.ts'

/** The range of the font's width axis, in percent of its normal width. */
const MIN_WIDTH = 50
const MAX_WIDTH = 150
/** By how many percent the width of the font changes when the rate doubles. The range of the axis is less than an octave. */
const WIDTH_PER_OCTAVE = 110

/** Returns the font width in percent for a playback rate: a faster rate is set narrower. */
const widthOf = (rate: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, 100 - WIDTH_PER_OCTAVE * Math.log2(rate)))

const SCALE_BPM = { from: 60, to: 200, marks: [60, 80, 100, 120, 140, 160, 180, 200] }
const scalePercent = (bpm: number) => Math.min(100, Math.max(0, (100 * (bpm - SCALE_BPM.from)) / (SCALE_BPM.to - SCALE_BPM.from)))

/** Displays the rate, length and tempo that result from the settings. */
export function Display({ engine, state }: { engine: Engine; state: EngineState }) {
  const { rate, sound, settings, lengthS } = state
  const widthStyle: CSSProperties = { fontStretch: `${widthOf(rate).toFixed(1)}%` }
  const bpm = sound?.bpm
  return (
    <div className={styles.display}>
      <dl className={styles.figures}>
        <div className={styles.rate}>
          <dt className={typeStyles.legend}>Rate</dt>
          <dd className={styles.numerals} style={widthStyle}>
            {rate.toFixed(2)}×
          </dd>
          <dd className={typeStyles.legend}>
            speed {formatDecimals(settings.speed, 2, SPEED_DECIMALS)} × pitch {(2 ** (settings.pitch / 12)).toFixed(2)}
          </dd>
        </div>
        <div>
          <dt className={typeStyles.legend}>Length</dt>
          <dd className={typeStyles.figure}>{sound ? formatDuration(Math.round(lengthS)) : '–:––'}</dd>
          <dd className={typeStyles.legend}>{sound ? `was ${formatDuration(Math.round(sound.durationS))}` : 'no song yet'}</dd>
        </div>
        <div>
          <dt className={typeStyles.legend}>BPM</dt>
          <dd className={typeStyles.figure}>{bpm === undefined ? '–––' : Math.round(bpm * rate)}</dd>
          <dd className={typeStyles.legend}>{bpm === undefined ? tempoText(state) : `was ${Math.round(bpm)}`}</dd>
        </div>
      </dl>
      <div className={classNames(styles.scale, typeStyles.legend)} aria-hidden="true">
        <span
          className={styles.zone}
          style={{ left: `${scalePercent(FIT_BPM.from)}%`, width: `${scalePercent(FIT_BPM.to) - scalePercent(FIT_BPM.from)}%` }}
        />
        {bpm !== undefined && <i className={styles.needle} style={{ left: `${scalePercent(bpm * rate)}%` }} />}
        {SCALE_BPM.marks.map((mark) => (
          <b key={mark} style={{ left: `${scalePercent(mark)}%` }}>
            {mark}
          </b>
        ))}
      </div>
      <TempoButtons engine={engine} bpm={bpm} pitch={settings.pitch} />
    </div>
  )
}

function tempoText({ sound, isDetectingTempo }: EngineState): string {
  if (sound === undefined) return 'no song yet'
  return isDetectingTempo ? 'finding the beat…' : 'no beat found'
}

function TempoButtons({ engine, bpm, pitch }: { engine: Engine; bpm: number | undefined; pitch: number }) {
  const fittedSpeed = bpm === undefined ? undefined : fitSpeed(bpm, pitch)
  return (
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
      <Button
        variant="tertiary"
        disabled={bpm === undefined || bpm / 2 < COUNTED_BPM.min}
        onClick={() => bpm !== undefined && engine.setBpm(bpm / 2)}
      >
        ×½<span className={typeStyles.hidden}> the BPM found</span>
      </Button>
      <Button
        variant="tertiary"
        disabled={bpm === undefined || bpm * 2 > COUNTED_BPM.max}
        onClick={() => bpm !== undefined && engine.setBpm(bpm * 2)}
      >
        ×2<span className={typeStyles.hidden}> the BPM found</span>
      </Button>
    </div>
  )
}
