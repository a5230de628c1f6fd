import { useEffect, useId, useState } from 'react'
import { isForInputMethod } from '../../primitives/keys.ts'
import { classNames } from '../../ui/class-names.ts'
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
  isValid: (value: number) => boolean
  /** Called with a valid number when Enter is pressed or the field loses the focus. */
  onCommit: (value: number) => void
  /** Called with 1 or -1 when an arrow key is pressed. */
  onStep: (direction: 1 | -1) => void
  /** Called with whether the typed text is invalid: not a number, or a number that `isValid` rejects. */
  onInvalid?: ((isInvalid: boolean) => void) | undefined
}

/** A text field for a number, with a decimal point or comma. Invalid text is marked and stays; Escape restores the value. */
export function NumberField({
  label,
  unit,
  value,
  valueText,
  disabled,
  hasNegatives,
  isValid,
  onCommit,
  onStep,
  onInvalid,
}: NumberFieldProps) {
  const id = useId()
  const [typedText, setTypedText] = useState<{ text: string; atValue: number | undefined }>()
  // The typed text is dropped if a slider or a preset changes the value. It stays if the field had no value when the text was typed.
  if (typedText?.atValue !== undefined && typedText.atValue !== value) setTypedText(undefined)
  const text = typedText?.text
  const typedValue = text === undefined ? undefined : parseNumber(text)
  const isUnchanged = text === undefined || (value === undefined && text.trim() === '')
  const isInvalid = !isUnchanged && (typedValue === undefined || !isValid(typedValue))
  useEffect(() => onInvalid?.(isInvalid), [isInvalid, onInvalid])

  const commitText = () => {
    if (isInvalid) return
    setTypedText(undefined)
    if (typedValue !== undefined) onCommit(typedValue)
  }

  return (
    <span className={classNames(styles.field, isInvalid && styles.invalid, typeStyles.mono)}>
      <input
        id={id}
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        disabled={disabled}
        inputMode={hasNegatives ? 'text' : 'decimal'}
        autoComplete="off"
        value={text ?? valueText.replace('-', '−')}
        onChange={(event) => setTypedText({ text: event.currentTarget.value, atValue: value })}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={commitText}
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
    </span>
  )
}

/** Parses a number with a decimal point or comma, also if it has full-width digits; `undefined` if it is not a finite number. */
function parseNumber(text: string): number | undefined {
  const value = Number(text.normalize('NFKC').trim().replace(',', '.').replace('−', '-'))
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined
}
