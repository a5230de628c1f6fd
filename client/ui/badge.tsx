import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

interface BadgeProps {
  kind: 'new' | 'plain' | 'category' | 'special'
  children: ReactNode
  /** Renders the badge as a link to this URL. */
  to?: string | undefined
  size?: 's' | 'm'
  className?: string | undefined
}

/** A short label of a song or a playlist, such as its category. */
export function Badge({ kind, children, to, size = 's', className }: BadgeProps) {
  const badgeClasses = classNames(styles.badge, styles[kind], size === 'm' && styles.medium, className)
  if (to === undefined)
    return (
      <span className={badgeClasses} dir="auto">
        {children}
      </span>
    )
  return (
    <a className={badgeClasses} dir="auto" href={to}>
      {children}
    </a>
  )
}
