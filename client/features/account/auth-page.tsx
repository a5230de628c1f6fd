import type { ReactNode } from 'react'
import { useAuthNavigate } from '../../hooks/login-navigation.ts'
import { isPlainClick } from '../../primitives/keys.ts'
import { classNames } from '../../ui/class-names.ts'
import { SpinningRecord } from '../../ui/spinning-record.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './auth-page.module.css'

interface AuthPageProps {
  title: string
  /** The introduction below the heading of the login page. */
  introduction?: ReactNode
  /** Whether `children` are about to be replaced. On phones the decorative vinyl record is hidden until then, so that it does not move. */
  isPending?: boolean
  children: ReactNode
}

/** Layout of the login pages: one form beside a decorative vinyl record. */
export function AuthPage({ title, introduction, isPending = false, children }: AuthPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.pane}>
        <div className={styles.column}>
          <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
          {introduction && <p className={styles.lead}>{introduction}</p>}
          {children}
        </div>
      </div>
      <div className={classNames(styles.picture, isPending && styles.pending)}>
        <SpinningRecord seed={title} className={styles.platter} />
      </div>
    </div>
  )
}

/** A link between the login pages that preserves the return path and the pending favorite. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  const navigateAuth = useAuthNavigate()
  return (
    <a
      className={typeStyles.link}
      href={to}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        navigateAuth(to)
      }}
    >
      {children}
    </a>
  )
}
