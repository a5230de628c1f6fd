import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import styles from './tool-button.module.css'

interface ToolButtonProps {
  icon: IconName
  label: string
  /** Follows the label on wide screens. */
  note?: ReactNode
  pressed: boolean
  disabled?: boolean
  onClick: () => void
}

/** A toggle button of a playlist's head. On phones and tablets it shows its icon only, and its label names it. */
export function ToolButton({ icon, label, note, pressed, disabled = false, onClick }: ToolButtonProps) {
  return (
    <Button size="big" variant="tertiary" icon={icon} pressed={pressed} disabled={disabled} onClick={onClick} className={styles.tool ?? ''}>
      <span className={styles.label}>
        {label}
        {note}
      </span>
    </Button>
  )
}
