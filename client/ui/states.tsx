import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Key } from './key.tsx'
import styles from './states.module.css'
import typeStyles from './type.module.css'

interface EmptyStateProps {
  title: string
  text?: string
  /** A way on. */
  action?: ReactNode
  headingLevel?: 1 | 2
}

/** Nothing is here: a flat line, the words, and a way on. */
export function EmptyState({ title, text, action, headingLevel = 2 }: EmptyStateProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <div className={styles.empty}>
      <span className={styles.flatLine} />
      <Heading className={classNames(typeStyles.head, typeStyles.d2)}>{title}</Heading>
      {text && <p className={typeStyles.muted}>{text}</p>}
      {action}
    </div>
  )
}

interface ErrorStateProps {
  title: string
  text?: string
  onRetry?: () => void
}

/** Something failed: what happened, and Retry. */
export function ErrorState({ title, text, onRetry }: ErrorStateProps) {
  return (
    <div className={styles.error}>
      <div className={styles.alert} role="alert">
        <Icon name="warning" className={styles.alertIcon} />
        <p>
          <strong>{title}</strong>
          {text && <span>{text}</span>}
        </p>
      </div>
      {onRetry && (
        <Key icon="loop" onClick={onRetry}>
          Retry
        </Key>
      )}
    </div>
  )
}

/** What is not on this device and cannot be fetched now: that is no fault, so it raises no alarm. `action`: another way on. */
export function AwayState({ title, text, onRetry, action }: Omit<EmptyStateProps, 'headingLevel'> & { onRetry: () => void }) {
  return (
    <div className={styles.error}>
      <Notice icon="offline">
        <strong>{title}</strong>
        {text && <span className={typeStyles.muted}>{text}</span>}
      </Notice>
      <div className={styles.keys}>
        <Key icon="loop" onClick={onRetry}>
          Retry
        </Key>
        {action}
      </div>
    </div>
  )
}

/** A calm line about the page: offline, kept, waiting. `good` and `bad` answer what a person did. */
export function Notice({ children, icon, kind = 'plain' }: { children: ReactNode; icon?: IconName; kind?: 'plain' | 'good' | 'bad' }) {
  const drawing = icon ?? (kind === 'good' ? 'check' : kind === 'bad' ? 'warning' : 'info')
  return (
    <div className={classNames(styles.notice, styles[kind])} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={drawing} className={styles.noticeIcon} />
      <div>{children}</div>
    </div>
  )
}
