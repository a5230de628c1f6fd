import { useEffect, useId, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Slider, type SliderMark } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './fader.module.css'
import { formatDecimals, toDecimals, toStep } from './setting-values.ts'

interface FaderProps {
  label: string
  unit: string
  min: number
  max: number
  step: number
  value: number
  /** The value that a double-click restores. */
  origin: number
  decimals?: number
  /** Typed values are rounded to this number of decimals, and the slider's to its step. */
  typedDecimals?: number
  ticks: number
  marks: readonly SliderMark[]
  onChange: (value: number) => void
  /** Called with whether the typed text is invalid: not a number, or not greater than `above`. */
  onInvalid?: ((isInvalid: boolean) => void) | undefined
  /** The lower limit of typed values, exclusive. Other values are limited to the slider's range. */
  exclusiveMin?: number
}

/** A slider with a text field: arrow keys move by a step, page keys coarsely, a double-click restores the origin. */
export function Fader({
  label,
  unit,
  value,
  decimals = 0,
  typedDecimals = decimals,
  origin,
  exclusiveMin = -Infinity,
  onChange,
  onInvalid,
  ...range
}: FaderProps) {
  const id = useId()
  const [typedText, setTypedText] = useState<{ text: string; atValue: number }>()
  // The typed text is dropped when the slider or a preset changes the value.
  const text = typedText?.atValue === value ? typedText.text : undefined
  const valueText = formatDecimals(value, decimals, typedDecimals)
  const isInvalid = text !== undefined && parseNumber(text, exclusiveMin) === undefined
  useEffect(() => onInvalid?.(isInvalid), [isInvalid, onInvalid])

  const commitText = () => {
    if (text === undefined) return
    const typedValue = parseNumber(text, exclusiveMin)
    if (typedValue === undefined) return
    setTypedText(undefined)
    onChange(toDecimals(typedValue, typedDecimals, range))
  }
  const changeValue = (newValue: number) => {
    setTypedText(undefined)
    onChange(toStep(newValue, range))
  }

  return (
    <div className={styles.fader}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        <span className={classNames(styles.typed, isInvalid && styles.invalid, typeStyles.mono)}>
          <input
            id={id}
            aria-label={`${label} value`}
            aria-invalid={isInvalid || undefined}
            inputMode={range.min < 0 ? 'text' : 'decimal'}
            autoComplete="off"
            value={text ?? valueText.replace('-', '−')}
            onChange={(event) => setTypedText({ text: event.currentTarget.value, atValue: value })}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={commitText}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commitText()
              if (event.key === 'Escape') setTypedText(undefined)
              if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
                event.preventDefault()
                changeValue(value + (event.key === 'ArrowUp' ? range.step : -range.step))
              }
            }}
          />
          <span aria-hidden="true">{unit}</span>
        </span>
      </div>
      <Slider label={label} value={value} origin={origin} valueText={`${valueText} ${unit}`} onChange={changeValue} {...range} />
    </div>
  )
}

/** Parses a number with a decimal point or comma; undefined unless it is finite and greater than `above`. */
function parseNumber(text: string, exclusiveMin: number): number | undefined {
  const value = Number(text.trim().replace(',', '.').replace('−', '-'))
  return text.trim() !== '' && Number.isFinite(value) && value > exclusiveMin ? value : undefined
}
