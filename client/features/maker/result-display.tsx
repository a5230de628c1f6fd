import type { CSSProperties } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './result-display.module.css'
import { BPM_DECIMALS, formatDecimals, SPEED_DECIMALS } from './setting-values.ts'
import { TempoControls } from './tempo-controls.tsx'
import { NIGHTCORE_BPM_RANGE } from './tempo-fit.ts'
import type { Engine, EngineState } from './use-maker.ts'

/** The range of the font's width axis, in percent of its normal width. */
const MIN_FONT_WIDTH_PERCENT = 50
const MAX_FONT_WIDTH_PERCENT = 150
/**
 * By how many percent the width of the font changes when the rate doubles. The whole range of the axis corresponds to less than a doubling
 * of the rate.
 */
const WIDTH_PERCENT_PER_OCTAVE = 110

/** Returns the font width in percent for a playback rate: the faster the rate, the narrower the font. */
const computeWidth = (rate: number) =>
  Math.min(MAX_FONT_WIDTH_PERCENT, Math.max(MIN_FONT_WIDTH_PERCENT, 100 - WIDTH_PERCENT_PER_OCTAVE * Math.log2(rate)))

const SCALE_BPM = { from: 60, to: 200, marks: [60, 80, 100, 120, 140, 160, 180, 200] }
const computeScalePercent = (bpm: number) => Math.min(100, Math.max(0, (100 * (bpm - SCALE_BPM.from)) / (SCALE_BPM.to - SCALE_BPM.from)))

/**
 * The length in seconds of the shortest reverb tail that is shown. A shorter tail does not change the displayed length, which is in whole
 * seconds.
 */
const MIN_SHOWN_REVERB_TAIL_S = 0.05

/** A strip that repeats rate, tempo and length on phones, where the display scrolls out of view above the faders. */
export function ResultStrip({ state: { rate, sound, lengthS } }: { state: EngineState }) {
  return (
    <p className={classNames(styles.strip, typeStyles.mono)} aria-hidden="true">
      <span>Rate {rate.toFixed(2)}</span>
      {sound?.bpm !== undefined && <span>{Math.round(sound.bpm * rate)} BPM</span>}
      {sound && <span>{formatDuration(Math.round(lengthS))}</span>}
    </p>
  )
}

/** Displays the rate, length and tempo that result from the settings. */
export function ResultDisplay({ engine, state }: { engine: Engine; state: EngineState }) {
  const { rate, sound, settings, lengthS, isDetectingTempo } = state
  const widthStyle: CSSProperties = { fontStretch: `${computeWidth(rate).toFixed(1)}%` }
  const bpm = sound?.bpm
  const reverbTailS = sound ? lengthS - sound.durationS / rate : 0
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
          <dd className={typeStyles.legend}>
            {bpm === undefined
              ? sound
                ? isDetectingTempo
                  ? 'finding the beat…'
                  : 'no beat found'
                : 'no song yet'
              : `was ${formatDecimals(bpm, 0, BPM_DECIMALS)}`}
          </dd>
        </div>
      </dl>
      {reverbTailS >= MIN_SHOWN_REVERB_TAIL_S && (
        <p className={classNames(styles.tail, typeStyles.legend)}>The length includes a reverb tail of {reverbTailS.toFixed(1)}&nbsp;s.</p>
      )}
      <div className={classNames(styles.scale, typeStyles.legend)} aria-hidden="true">
        <span
          className={styles.zone}
          style={{
            left: `${computeScalePercent(NIGHTCORE_BPM_RANGE.from)}%`,
            width: `${computeScalePercent(NIGHTCORE_BPM_RANGE.to) - computeScalePercent(NIGHTCORE_BPM_RANGE.from)}%`,
          }}
        />
        {bpm !== undefined && <i className={styles.needle} style={{ left: `${computeScalePercent(bpm * rate)}%` }} />}
        {SCALE_BPM.marks.map((mark) => (
          <b key={mark} style={{ left: `${computeScalePercent(mark)}%` }}>
            {mark}
          </b>
        ))}
      </div>
      <TempoControls key={`${sound?.name} ${sound?.fileBytes}`} engine={engine} state={state} />
    </div>
  )
}
