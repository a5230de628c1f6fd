import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import styles from './playlist-toggle-button.module.css'

interface ToolButtonProps {
  icon: IconName
  label: string
  /** A text that follows the label on wide screens. */
  note?: ReactNode
  pressed: boolean
  disabled?: boolean
  onClick: () => void
}

/** A toggle button in a playlist's head. On phones and tablets only the icon is visible, and the label is the accessible name. */
export function PlaylistToggleButton({ icon, label, note, pressed, disabled = false, onClick }: ToolButtonProps) {
  return (
    <Button size="big" variant="tertiary" icon={icon} pressed={pressed} disabled={disabled} onClick={onClick} className={styles.tool ?? ''}>
      <span className={styles.label}>
        {label}
        {note}
      </span>
    </Button>
  )
}
