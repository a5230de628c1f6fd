import styles from './segments.module.css'

interface SegmentsProps<T extends string> {
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
}

/** A few choices side by side, of which one is on. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a legend of its own.
    <div role="group" aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          <span className={styles.led} />
          {option.label}
        </button>
      ))}
    </div>
  )
}
