import { type ReactNode, type Ref, useId } from 'react'
import styles from './filter-field.module.css'
import typeStyles from './type.module.css'

interface FilterFieldProps {
  label: string
  placeholder: string
  /** The text about the number of rows shown, which screen readers announce. */
  status: string | false
  onText: (text: string) => void
  /** Further controls, between the field and the status. */
  children?: ReactNode
  ref: Ref<HTMLInputElement>
}

/** A field that filters a list while typing. It is uncontrolled, so that text typed before hydration is preserved. */
export function FilterField({ label, placeholder, status, onText, children, ref }: FilterFieldProps) {
  const id = useId()
  return (
    <search className={styles.bar}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        type="search"
        className={styles.input}
        placeholder={placeholder}
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
