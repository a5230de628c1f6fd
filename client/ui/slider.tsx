import type { CSSProperties, Ref } from 'react'
import { classNames } from './class-names.ts'
import styles from './slider.module.css'

export interface SliderMark {
  value: number
  label: string
}

interface SliderProps {
  /** Its accessible name. */
  label: string
  min: number
  max: number
  step: number | 'any'
  /** Controlled. Leave it out where the position is painted from outside with `paintSlider`. */
  value?: number
  /** The value that a double-click goes back to, and that the lit part starts from; `min` by default. */
  origin?: number
  /** Equal parts that the ticks divide the groove into. */
  ticks?: number
  marks?: readonly SliderMark[]
  /** What is read out: `1:33 of 4:05`, `1.25 ×`. */
  valueText?: string
  /** `fader`: a cap in a groove. `scrub`: a thin line with a small cap. */
  look?: 'fader' | 'scrub'
  disabled?: boolean
  /** On every movement. */
  onChange?: (value: number) => void
  /** When the hand lets go, or a key was pressed. */
  onCommit?: (value: number) => void
  className?: string
  ref?: Ref<HTMLInputElement>
}

const fraction = (value: number, min: number, max: number) => (max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0)

/** Moves a slider without React, for positions that change with every frame. */
export function paintSlider(input: HTMLInputElement, value: number, valueText?: string): void {
  input.value = String(value)
  if (valueText !== undefined) input.setAttribute('aria-valuetext', valueText)
  input.parentElement?.style.setProperty('--at', String(fraction(value, Number(input.min), Number(input.max))))
}

/** A native range input in a groove: arrows move finely, page keys coarsely. */
export function Slider({
  label,
  min,
  max,
  step,
  value,
  origin,
  ticks,
  marks,
  valueText,
  look = 'fader',
  disabled,
  onChange,
  onCommit,
  className,
  ref,
}: SliderProps) {
  const style: Record<`--${string}`, string> = { '--from': String(fraction(origin ?? min, min, max)) }
  if (value !== undefined) style['--at'] = String(fraction(value, min, max))
  if (ticks !== undefined) style['--ticks'] = String(ticks)
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
          const next = event.currentTarget.valueAsNumber
          event.currentTarget.parentElement?.style.setProperty('--at', String(fraction(next, min, max)))
          onChange?.(next)
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
      {ticks !== undefined && <span className={styles.ticks} />}
      {marks && (
        <span className={styles.marks} aria-hidden="true">
          {marks.map((mark) => (
            <b
              key={mark.value}
              className={mark.value === origin ? styles.origin : undefined}
              style={{ left: `${fraction(mark.value, min, max) * 100}%` }}
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
