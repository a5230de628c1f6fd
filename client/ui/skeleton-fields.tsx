import { Skeleton } from './skeleton.tsx'
import styles from './skeleton-fields.module.css'
import typeStyles from './type.module.css'

/** Renders a placeholder for sections and fields: `count` lines of text, each above a box. */
export function SkeletonFields({ count = 4 }: { count?: number }) {
  return (
    <div aria-busy="true" className={styles.fields}>
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all the same.
        <div key={index} aria-hidden="true">
          <Skeleton width={`${18 + ((index * 11) % 16)}%`} />
          <Skeleton height="var(--hit-big)" className={styles.box} />
        </div>
      ))}
    </div>
  )
}
