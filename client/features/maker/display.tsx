import type { CSSProperties } from 'react'
import type { Engine, EngineState } from '../../bindings/maker.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatDuration } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './display.module.css'
import { COUNTED_BPM, FIT_BPM, fitSpeed } from './tempo-fit.ts'

/** What the type is drawn for: percents of its normal width. */
const MIN_WIDTH = 50
const MAX_WIDTH = 150
/** An octave of speed is more than the type's whole range. */
const WIDTH_PER_OCTAVE = 110

/** Faster is narrower, as sound on a tape is shorter. */
const widthOf = (rate: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, 100 - WIDTH_PER_OCTAVE * Math.log2(rate)))

const SCALE_BPM = { from: 60, to: 200, marks: [60, 80, 100, 120, 140, 160, 180, 200] }
const place = (bpm: number) => Math.min(100, Math.max(0, (100 * (bpm - SCALE_BPM.from)) / (SCALE_BPM.to - SCALE_BPM.from)))

/** The figures that follow from the settings: the rate, the length and the tempo. */
export function Display({ engine, state }: { engine: Engine; state: EngineState }) {
  const { rate, sound, settings, lengthS } = state
  const width: CSSProperties = { fontStretch: `${widthOf(rate).toFixed(1)}%` }
  const bpm = sound?.bpm
  return (
    <div className={styles.display}>
      <dl className={styles.figures}>
        <div className={styles.rate}>
          <dt className={typeStyles.legend}>Rate</dt>
          <dd className={styles.numerals} style={width}>
            {rate.toFixed(2)}×
          </dd>
          <dd className={typeStyles.legend}>
            speed {settings.speed.toFixed(2)} × pitch {(2 ** (settings.pitch / 12)).toFixed(2)}
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
            {bpm === undefined ? (sound ? 'no beat found yet' : 'no song yet') : `was ${Math.round(bpm)}`}
          </dd>
        </div>
      </dl>
      <div className={classNames(styles.scale, typeStyles.legend)} aria-hidden="true">
        <span className={styles.zone} style={{ left: `${place(FIT_BPM.from)}%`, width: `${place(FIT_BPM.to) - place(FIT_BPM.from)}%` }} />
        {bpm !== undefined && <i className={styles.needle} style={{ left: `${place(bpm * rate)}%` }} />}
        {SCALE_BPM.marks.map((mark) => (
          <b key={mark} style={{ left: `${place(mark)}%` }}>
            {mark}
          </b>
        ))}
      </div>
      <TempoKeys engine={engine} bpm={bpm} pitch={settings.pitch} />
    </div>
  )
}

function TempoKeys({ engine, bpm, pitch }: { engine: Engine; bpm: number | undefined; pitch: number }) {
  const fit = bpm === undefined ? undefined : fitSpeed(bpm, pitch)
  return (
    <div className={styles.keys}>
      <Key
        variant="flat"
        className={styles.fit ?? ''}
        disabled={fit === undefined}
        onClick={() => {
          if (fit !== undefined) engine.change({ speed: fit })
        }}
      >
        Fit 140-160 BPM
      </Key>
      {/* A listener to beats may count half or double. */}
      <Key
        variant="flat"
        disabled={bpm === undefined || bpm / 2 < COUNTED_BPM.min}
        onClick={() => bpm !== undefined && engine.correctBpm(bpm / 2)}
      >
        ×½<span className={typeStyles.hidden}> the BPM found</span>
      </Key>
      <Key
        variant="flat"
        disabled={bpm === undefined || bpm * 2 > COUNTED_BPM.max}
        onClick={() => bpm !== undefined && engine.correctBpm(bpm * 2)}
      >
        ×2<span className={typeStyles.hidden}> the BPM found</span>
      </Key>
    </div>
  )
}
