import { useEffect, useId, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Slider, type SliderMark } from '../../ui/slider.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './fader.module.css'
import { toStep } from './tempo-fit.ts'

interface FaderProps {
  label: string
  unit: string
  min: number
  max: number
  step: number
  value: number
  /** What a double-click goes back to. */
  origin: number
  decimals?: number
  ticks: number
  marks: readonly SliderMark[]
  onChange: (value: number) => void
  /** What is typed there is no value that can be used: text, or nothing above `above`. */
  onInvalid?: ((invalid: boolean) => void) | undefined
  /** A typed value must be greater than this; others are brought into the range. */
  above?: number
}

/** A slider with its value to type: arrows move finely, page keys coarsely, a double-click goes back. */
export function Fader({ label, unit, value, decimals = 0, origin, above = -Infinity, onChange, onInvalid, ...range }: FaderProps) {
  const id = useId()
  const [typed, setTyped] = useState<{ text: string; over: number }>()
  // Words typed over a value that has moved on since, by the slider or a preset, are gone.
  const text = typed?.over === value ? typed.text : undefined
  const shown = value.toFixed(decimals).replace('-', '−')
  const invalid = text !== undefined && parse(text, above) === undefined
  useEffect(() => onInvalid?.(invalid), [invalid, onInvalid])

  const commit = () => {
    if (text === undefined) return
    const next = parse(text, above)
    if (next === undefined) return
    setTyped(undefined)
    onChange(toStep(next, range))
  }
  const change = (next: number) => {
    setTyped(undefined)
    onChange(toStep(next, range))
  }

  return (
    <div className={styles.fader}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        <span className={classNames(styles.typed, invalid && styles.invalid, typeStyles.mono)}>
          <input
            id={id}
            aria-label={`${label} value`}
            aria-invalid={invalid || undefined}
            inputMode={range.min < 0 ? 'text' : 'decimal'}
            autoComplete="off"
            value={text ?? shown}
            onChange={(event) => setTyped({ text: event.currentTarget.value, over: value })}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit()
              if (event.key === 'Escape') change(value)
              if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
                event.preventDefault()
                change(value + (event.key === 'ArrowUp' ? range.step : -range.step))
              }
            }}
          />
          <span aria-hidden="true">{unit}</span>
        </span>
      </div>
      <Slider label={label} value={value} origin={origin} valueText={`${value.toFixed(decimals)} ${unit}`} onChange={change} {...range} />
    </div>
  )
}

/** A comma is a decimal point to half of the world. */
function parse(text: string, above: number): number | undefined {
  const value = Number(text.trim().replace(',', '.').replace('−', '-'))
  return text.trim() !== '' && Number.isFinite(value) && value > above ? value : undefined
}
