import type { CSSProperties, Ref } from 'react'
import { classNames } from './class-names.ts'
import styles from './slider.module.css'

export interface SliderMark {
  value: number
  label: string
}

interface SliderProps {
  label: string
  min: number
  max: number
  step: number | 'any'
  /** Controlled value. Omit it if the position is set with `setSliderValue`. */
  value?: number
  /** The value that a double-click restores and from which the filled range starts; `min` by default. */
  neutralValue?: number
  /** Number of equal intervals between the tick marks. */
  tickCount?: number
  marks?: readonly SliderMark[]
  /** Value of `aria-valuetext`, such as `1:33 of 4:05` or `1.25 ×`. */
  valueText?: string
  /** `fader`: a large thumb on a wide track. `scrub`: a small thumb on a thin track. */
  look?: 'fader' | 'scrub'
  disabled?: boolean
  onChange?: (value: number) => void
  /** Called when a drag ends, and after each key that moves the thumb. */
  onCommit?: (value: number) => void
  className?: string
  ref?: Ref<HTMLInputElement>
}

const computeFractionOfRange = (value: number, min: number, max: number) =>
  max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0

/** Sets the value of a slider without a React render, for positions that change on every animation frame. */
export function setSliderValue(input: HTMLInputElement, sliderValue: number, valueText?: string): void {
  input.value = String(sliderValue)
  if (valueText !== undefined) input.setAttribute('aria-valuetext', valueText)
  input.parentElement?.style.setProperty('--at', String(computeFractionOfRange(sliderValue, Number(input.min), Number(input.max))))
}

/** A styled native range input: arrow keys move by one step, Page Up and Page Down by a larger one. */
export function Slider({
  label,
  min,
  max,
  step,
  value,
  neutralValue: origin,
  tickCount: tickIntervalCount,
  marks,
  valueText,
  look = 'fader',
  disabled,
  onChange,
  onCommit,
  className,
  ref,
}: SliderProps) {
  const style: Record<`--${string}`, string> = { '--from': String(computeFractionOfRange(origin ?? min, min, max)) }
  if (value !== undefined) style['--at'] = String(computeFractionOfRange(value, min, max))
  if (tickIntervalCount !== undefined) style['--ticks'] = String(tickIntervalCount)
  return (
    <div className={classNames(styles.slider, styles[look], className)} style={style as CSSProperties}>
      <input
        ref={ref}
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        {...(value === undefined ? { defaultValue: origin ?? min } : { value })}
        onChange={(event) => {
          const newValue = event.currentTarget.valueAsNumber
          event.currentTarget.parentElement?.style.setProperty('--at', String(computeFractionOfRange(newValue, min, max)))
          onChange?.(newValue)
        }}
        onPointerUp={(event) => onCommit?.(event.currentTarget.valueAsNumber)}
        onKeyUp={(event) => {
          if (movingKeys.has(event.key)) onCommit?.(event.currentTarget.valueAsNumber)
        }}
        onDoubleClick={() => {
          if (origin === undefined) return
          onChange?.(origin)
          onCommit?.(origin)
        }}
      />
      {tickIntervalCount !== undefined && <span className={styles.ticks} />}
      {marks && (
        <span className={styles.marks} aria-hidden="true">
          {marks.map((mark) => (
            <b
              key={mark.value}
              className={mark.value === origin ? styles.origin : undefined}
              style={{ left: `${computeFractionOfRange(mark.value, min, max) * 100}%` }}
            >
              {mark.label}
            </b>
          ))}
        </span>
      )}
    </div>
  )
}

const movingKeys = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'])
