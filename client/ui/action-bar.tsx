import type { ReactNode } from 'react'
import styles from './action-bar.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

/** A row of actions of equal rank, each an `ActionButton`. */
export const ActionBar = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>

interface ActionProps {
  icon: IconName
  label: ReactNode
  pressed?: boolean
  /** Whether the action exists on touch screens only. The style sheet hides it elsewhere, so that hydration causes no layout shift. */
  touchOnly?: boolean
  /** A short message above the action, announced by screen readers; empty if there is currently no message. */
  message?: string
}

/** A button, or a link if `to` is given, with an icon and a label. */
export function ActionButton({
  icon,
  label,
  pressed,
  touchOnly,
  message,
  ...targetProps
}: ActionProps & ({ to: string } | { onClick: () => void })) {
  const contentElement = (
    <>
      <Icon name={icon} />
      {label}
    </>
  )
  return (
    <span className={classNames(styles.cell, touchOnly && styles.touchOnly)}>
      {'to' in targetProps ? (
        <a className={styles.action} href={targetProps.to}>
          {contentElement}
        </a>
      ) : (
        <button type="button" className={styles.action} aria-pressed={pressed} onClick={targetProps.onClick}>
          {contentElement}
        </button>
      )}
      {message !== undefined && (
        <span role="status" className={styles.popover}>
          {message !== '' && <span className={styles.bubble}>{message}</span>}
        </span>
      )}
    </span>
  )
}
