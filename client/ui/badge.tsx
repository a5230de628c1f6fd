import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

interface BadgeProps {
  kind: 'new' | 'plain' | 'category' | 'special'
  children: ReactNode
  /** Makes it a link. */
  to?: string | undefined
  size?: 's' | 'm'
  className?: string
}

/** A small word about a song or a playlist. */
export function Badge({ kind, children, to, size = 's', className }: BadgeProps) {
  const names = classNames(styles.badge, styles[kind], size === 'm' && styles.medium, className)
  if (to === undefined) return <span className={names}>{children}</span>
  return (
    <a className={names} href={to}>
      {children}
    </a>
  )
}
