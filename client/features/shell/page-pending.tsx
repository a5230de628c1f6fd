import { classNames } from '../../ui/class-names.ts'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './page-pending.module.css'

/** The placeholder that is shown while a page is loading, unless the page has a placeholder of its own. */
export function PagePending() {
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <Skeleton className={styles.heading} />
      <SkeletonRows />
    </div>
  )
}
