import { type ReactNode, type Ref, useId } from 'react'
import styles from './filter-field.module.css'
import typeStyles from './type.module.css'

interface FilterFieldProps {
  label: string
  placeholder: string
  /** The text about the number of rows shown, which screen readers announce. */
  status: string | false
  /** The initial text of the field. */
  text?: string | undefined
  onText: (text: string) => void
  /** Further controls, placed between the text field and the status text. */
  children?: ReactNode
  ref: Ref<HTMLInputElement>
}

/** The width of the viewport up to which `filter-field.module.css` keeps the focused field at the top, so that the results are above the keyboard. */
const NARROW_QUERY = '(max-width: 820px)'

/** A field that filters a list while typing. It is uncontrolled, so that text typed before hydration is preserved. */
export function FilterField({ label, placeholder, status, text, onText, children, ref }: FilterFieldProps) {
  const inputId = useId()
  return (
    <search
      className={styles.bar}
      onFocus={({ currentTarget }) => {
        if (matchMedia(NARROW_QUERY).matches) currentTarget.scrollIntoView({ block: 'start' })
      }}
    >
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      <input
        ref={ref}
        id={inputId}
        type="search"
        className={styles.input}
        placeholder={placeholder}
        defaultValue={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => onText(event.target.value)}
      />
      {children}
      <span role="status" className={typeStyles.mono}>
        {status}
      </span>
    </search>
  )
}
