import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './page-pending.module.css'

/** The placeholder that is shown while a page is loading, unless the page has a placeholder of its own: a heading and lines, as any page has. */
export function PagePending() {
  return (
    <div className={classNames(typeStyles.wrap, styles.page)} aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      <Skeleton className={styles.heading} />
      <Skeleton className={styles.lines} />
    </div>
  )
}
