import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './message-card.module.css'

interface MessageCardProps {
  children: ReactNode
  icon: IconName
  kind?: 'plain' | 'good' | 'bad'
  action?: { label: string; onSelect: () => void } | undefined
  closeLabel: string
  onClose: () => void
}

/** A short message with an optional action and a close button. The parent component positions it. */
export function MessageCard({ children, icon, kind = 'plain', action, closeLabel, onClose }: MessageCardProps) {
  return (
    <div className={classNames(styles.card, styles[kind])}>
      <Icon name={icon} className={styles.icon} />
      <p className={styles.text}>{children}</p>
      {action && (
        <button type="button" className={styles.action} onClick={action.onSelect}>
          {action.label}
        </button>
      )}
      <IconButton icon="close" label={closeLabel} onClick={onClose} />
    </div>
  )
}
