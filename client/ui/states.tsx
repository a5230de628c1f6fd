import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './states.module.css'
import typeStyles from './type.module.css'

interface EmptyStateProps {
  title: string
  text?: string
  /** A link or button by which the person can continue. */
  action?: ReactNode
  /** The heading level of the title. Level 3 is for a message below the heading of a section, and has a smaller title. */
  headingLevel?: 2 | 3
}

/** Shows a message for an empty list, with an optional action. */
export function EmptyState({ title, text, action, headingLevel = 2 }: EmptyStateProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <div className={styles.empty}>
      <span className={styles.flatLine} />
      <Heading className={classNames(typeStyles.head, headingLevel === 2 ? typeStyles.d2 : typeStyles.d1)}>{title}</Heading>
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

/** Shows an error message, announced as an alert, with an optional Retry button. */
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
        <Button icon="loop" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

/** Shows that content is not cached and cannot be fetched while offline. It is not announced as an alert, since nothing failed. */
export function OfflineState({ title, text, onRetry, action }: Omit<EmptyStateProps, 'headingLevel'> & { onRetry: () => void }) {
  return (
    <div className={styles.error}>
      <Notice icon="offline">
        <strong>{title}</strong>
        {text && <span className={typeStyles.muted}>{text}</span>}
      </Notice>
      <div className={styles.buttons}>
        <Button icon="loop" onClick={onRetry}>
          Retry
        </Button>
        {action}
      </div>
    </div>
  )
}

/** Shows a one-line message with an icon. `good` and `bad` report the result of an action; `bad` is announced as an alert. */
export function Notice({ children, icon, kind = 'plain' }: { children: ReactNode; icon?: IconName; kind?: 'plain' | 'good' | 'bad' }) {
  const iconName = icon ?? (kind === 'good' ? 'check' : kind === 'bad' ? 'warning' : 'info')
  return (
    <div className={classNames(styles.notice, styles[kind])} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={iconName} className={styles.noticeIcon} />
      <div>{children}</div>
    </div>
  )
}
