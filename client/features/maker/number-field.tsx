import { useEffect, useId, useRef, useState } from 'react'
import { isForInputMethod } from '../../primitives/keys.ts'
import { createCleanupScope } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './number-field.module.css'

interface NumberFieldProps {
  label: string
  unit: string
  /** The number in the field; `undefined` leaves the field empty. */
  value: number | undefined
  valueText: string
  disabled?: boolean
  hasNegatives?: boolean
  /** The smallest and the largest number. */
  range: { readonly min: number; readonly max: number }
  /** The range in the words of the hint; by default its two numbers. */
  rangeText?: string
  /** Reads typed text; `undefined` if it is not valid. By default, text is a number with or without its unit. */
  parse?: (text: string) => number | undefined
  isValid: (value: number) => boolean
  /** Called with a valid number when Enter is pressed or the field loses the focus. */
  onCommit: (value: number) => void
  /** Called with 1 or -1 when an arrow key is pressed. */
  onStep: (direction: 1 | -1) => void
  /** Called with whether the typed text is invalid: not a number, or a number that `isValid` rejects. */
  onInvalid?: ((isInvalid: boolean) => void) | undefined
}

/**
 * The delay in milliseconds after which a field that lost the focus shows its value again. By then, the press or key that moved the focus
 * has ended.
 */
const REVERT_DELAY_MS = 100

/**
 * A text field for a number, with a decimal point or comma, with or without its unit. Invalid text is marked, and the field says which
 * numbers it takes; Escape and leaving the field restore the value. During a press on another control, the text still counts as invalid.
 */
export function NumberField({
  label,
  unit,
  value,
  valueText,
  disabled,
  hasNegatives,
  range,
  rangeText = `${range.min} to ${range.max}`.replaceAll('-', '−'),
  parse,
  isValid,
  onCommit,
  onStep,
  onInvalid,
}: NumberFieldProps) {
  const inputId = useId()
  const [typedText, setTypedText] = useState<{ text: string; valueWhenTyped: number | undefined }>()
  // The typed text is dropped if a slider or a preset changes the value. It stays if the field had no value when the text was typed.
  if (typedText?.valueWhenTyped !== undefined && typedText.valueWhenTyped !== value) setTypedText(undefined)
  const shownText = typedText?.text
  const typedValue = shownText === undefined ? undefined : parse ? parse(shownText) : parseNumber(shownText, unit)
  const isTextUnchanged = shownText === undefined || (value === undefined && shownText.trim() === '')
  const isTextInvalid = !isTextUnchanged && (typedValue === undefined || !isValid(typedValue))
  useEffect(() => onInvalid?.(isTextInvalid), [isTextInvalid, onInvalid])

  /** Whether the last number was beyond the range, and was limited to it. */
  const [isValueLimited, setIsLimited] = useState(false)
  const commitText = () => {
    if (isTextInvalid) return
    setTypedText(undefined)
    if (typedValue === undefined) return
    setIsLimited(typedValue < range.min || typedValue > range.max)
    onCommit(typedValue)
  }

  const cancelRevert = useRef(() => {})
  useEffect(() => () => cancelRevert.current(), [])
  const revertLater = () => {
    // The text stays if the person only changes to another window.
    if (!document.hasFocus()) return
    const scope = createCleanupScope()
    cancelRevert.current = scope.dispose
    const revertText = () => {
      setTypedText(undefined)
      scope.dispose()
    }
    for (const type of ['pointerup', 'keyup'] as const) scope.listen(window, type, () => scope.timeout(revertText, REVERT_DELAY_MS))
  }

  return (
    <span className={classNames(styles.field, isTextInvalid && styles.invalid, typeStyles.mono)}>
      <input
        id={inputId}
        aria-label={label}
        aria-invalid={isTextInvalid || undefined}
        disabled={disabled}
        inputMode={hasNegatives || parse ? 'text' : 'decimal'}
        autoComplete="off"
        aria-describedby={`${inputId}-hint`}
        value={shownText ?? valueText.replace('-', '−')}
        onChange={(event) => {
          setIsLimited(false)
          setTypedText({ text: event.currentTarget.value, valueWhenTyped: value })
        }}
        onFocus={(event) => {
          cancelRevert.current()
          event.currentTarget.select()
        }}
        onBlur={() => {
          commitText()
          setIsLimited(false)
          if (isTextInvalid) revertLater()
        }}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return
          if (event.key === 'Enter') commitText()
          if (event.key === 'Escape') setTypedText(undefined)
          if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault()
            setTypedText(undefined)
            onStep(event.key === 'ArrowUp' ? 1 : -1)
          }
        }}
      />
      <span aria-hidden="true">{unit}</span>
      <span id={`${inputId}-hint`} role="alert" className={styles.hint}>
        {(isTextInvalid || isValueLimited) && (
          <>
            <Icon name="warning" size="s" />
            {rangeText}
          </>
        )}
      </span>
    </span>
  )
}

/**
 * Parses a number with a decimal point or comma, also if it has full-width digits or its unit; `undefined` if it is not a finite number. A
 * factor, whose unit is ×, may be in percent.
 */
function parseNumber(typedText: string, valueUnit: string): number | undefined {
  const plainText = typedText.normalize('NFKC').trim().toLowerCase().replace(',', '.').replace('−', '-')
  const isFactorUnit = valueUnit === '×'
  const isPercentOfFactor = isFactorUnit && plainText.endsWith('%')
  const unitSuffix = isPercentOfFactor
    ? '%'
    : [valueUnit.toLowerCase(), ...(isFactorUnit ? ['x'] : [])].find((each) => plainText.endsWith(each))
  const numberText = plainText.slice(0, plainText.length - (unitSuffix?.length ?? 0)).trim()
  const value = Number(numberText) / (isPercentOfFactor ? 100 : 1)
  return numberText !== '' && Number.isFinite(value) ? value : undefined
}
