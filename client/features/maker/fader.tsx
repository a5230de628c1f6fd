import { Slider, type SliderMark } from '../../ui/slider.tsx'
import styles from './fader.module.css'
import { NumberField } from './number-field.tsx'
import { formatDecimals, roundToDecimals, roundToStep } from './setting-values.ts'

interface FaderProps {
  label: string
  unit: string
  min: number
  max: number
  step: number
  value: number
  /** The value that a double-click restores. */
  neutralValue: number
  decimals?: number
  /** The number of decimals to which typed values are rounded. Values set with the slider are rounded to the slider's step. */
  typedDecimals?: number
  tickCount: number
  marks: readonly SliderMark[]
  onChange: (value: number) => void
  /** Called with whether the typed text is invalid: not a number, or not greater than `exclusiveMin`. */
  onInvalid?: ((isInvalid: boolean) => void) | undefined
  /** Typed values must be greater than this number. Values outside of the slider's range are limited to the range. */
  exclusiveMin?: number
}

/** A slider with a text field: arrow keys move by a small step, page keys by a large one, and a double-click restores the default value. */
export function Fader({
  label,
  unit,
  value,
  decimals = 0,
  typedDecimals = decimals,
  neutralValue: origin,
  exclusiveMin = -Infinity,
  onChange,
  onInvalid,
  ...rangeProps
}: FaderProps) {
  const valueText = formatDecimals(value, decimals, typedDecimals)
  const changeValue = (newValue: number) => onChange(roundToStep(newValue, rangeProps))

  return (
    <div className={styles.fader}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        <NumberField
          label={`${label} value`}
          unit={unit}
          value={value}
          valueText={valueText}
          hasNegatives={rangeProps.min < 0}
          range={rangeProps}
          isValid={(typedValue) => typedValue > exclusiveMin}
          onCommit={(typedValue) => onChange(roundToDecimals(typedValue, typedDecimals, rangeProps))}
          onStep={(direction) => changeValue(value + direction * rangeProps.step)}
          onInvalid={onInvalid}
        />
      </div>
      <Slider label={label} value={value} neutralValue={origin} valueText={`${valueText} ${unit}`} onChange={changeValue} {...rangeProps} />
    </div>
  )
}
