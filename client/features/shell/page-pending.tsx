import { classNames } from '../../ui/class-names.ts'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './page-pending.module.css'

/** A page on its way, for routes that draw none of their own. */
export function PagePending() {
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <Skeleton className={styles.heading} />
      <SkeletonRows />
    </div>
  )
}
