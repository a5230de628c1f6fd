import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import { Fader } from './fader.tsx'
import styles from './setting-faders.module.css'
import { PITCH_DECIMALS, PITCH_RANGE, SPEED_DECIMALS, SPEED_RANGE } from './setting-values.ts'
import type { EngineState, MakerSettings } from './use-maker.ts'

const speedMarks = [0.1, 0.5, 1, 1.5, 2].map((value) => ({ value, label: value.toFixed(1) }))
const pitchMarks = [-12, -6, 0, 6, 12].map((value) => ({ value, label: value > 0 ? `+${value}` : String(value).replace('-', '−') }))
const percentFaderProps = {
  unit: '%',
  min: 0,
  max: 100,
  step: 1,
  neutralValue: 0,
  tickCount: 20,
  marks: [0, 50, 100].map((value) => ({ value, label: String(value) })),
}
const bassMarks = pitchMarks.filter(({ value }) => value % 12 === 0)

interface ControlsProps {
  state: EngineState
  onChange: (settings: Partial<MakerSettings>) => void
  onInvalidSpeed: (isInvalid: boolean) => void
}

/** Renders the faders of speed and pitch, which change the rate together, and those of the effects. */
export function SettingFaders({ state: { settings }, onChange, onInvalidSpeed }: ControlsProps) {
  return (
    <>
      <section className={classNames(styles.group, styles.rate)} aria-labelledby="varispeed-heading">
        <div className={styles.head}>
          <h2 id="varispeed-heading" className={classNames(typeStyles.head, typeStyles.d1)}>
            Varispeed
          </h2>
          <span className={typeStyles.legend}>Speed and pitch move together, like tape</span>
        </div>
        <Fader
          label="Speed"
          unit="×"
          {...SPEED_RANGE}
          neutralValue={1}
          decimals={2}
          typedDecimals={SPEED_DECIMALS}
          exclusiveMin={0}
          tickCount={38}
          marks={speedMarks}
          value={settings.speed}
          onChange={(speed) => onChange({ speed })}
          onInvalid={onInvalidSpeed}
        />
        <Fader
          label="Pitch"
          unit="st"
          {...PITCH_RANGE}
          neutralValue={0}
          typedDecimals={PITCH_DECIMALS}
          tickCount={24}
          marks={pitchMarks}
          value={settings.pitch}
          onChange={(pitch) => onChange({ pitch })}
        />
      </section>
      <section className={classNames(styles.group, styles.effects)} aria-label="Reverb and bass">
        <Fader label="Reverb size" {...percentFaderProps} value={settings.reverbSize} onChange={(reverbSize) => onChange({ reverbSize })} />
        <Fader
          label="Reverb amount"
          {...percentFaderProps}
          value={settings.reverbAmount}
          onChange={(reverbAmount) => onChange({ reverbAmount })}
        />
        <Fader
          label="Bass"
          unit="dB"
          min={-12}
          max={12}
          step={1}
          neutralValue={0}
          tickCount={24}
          marks={bassMarks}
          value={settings.bassDb}
          onChange={(bassDb) => onChange({ bassDb })}
        />
      </section>
    </>
  )
}
