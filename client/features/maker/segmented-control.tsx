import type { ReactNode } from 'react'
import styles from './segmented-control.module.css'

interface SegmentedControlProps<T extends string> {
  label: string
  options: readonly { value: T; label: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** Renders a few options side by side, one of which is selected. */
export function SegmentedControl<T extends string>({ label, options, value, onChange }: SegmentedControlProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div role="group" aria-label={label} className={styles.control}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          <span className={styles.led} />
          {option.label}
        </button>
      ))}
    </div>
  )
}
