import { classNames } from '../../ui/class-names.ts'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './page-pending.module.css'

/** The default placeholder of a page that is loading. */
export function PagePending() {
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <Skeleton className={styles.heading} />
      <SkeletonRows />
    </div>
  )
}
