import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Platter } from '../../ui/platter.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './auth-page.module.css'

interface AuthPageProps {
  title: string
  /** Below the heading: what the page is for, or the way to the other one. */
  lead?: ReactNode
  children: ReactNode
}

/** A page around logging in: a column with one form, beside a record. */
export function AuthPage({ title, lead, children }: AuthPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.pane}>
        <div className={styles.column}>
          <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
          {children}
        </div>
      </div>
      <div className={styles.picture}>
        <Platter seed={title} className={styles.platter} />
      </div>
    </div>
  )
}
