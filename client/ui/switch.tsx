import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './switch.module.css'

interface SwitchProps {
  checked: boolean
  onChange: (isChecked: boolean) => void
  className?: string | undefined
  children: ReactNode
}

/** A labelled switch, which takes effect immediately. */
export function Switch({ checked, onChange, className, children }: SwitchProps) {
  return (
    <label className={classNames(styles.switch, className)}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span className={styles.lamp} />
      {children}
    </label>
  )
}
