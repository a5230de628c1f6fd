import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'
import typeStyles from './type.module.css'

interface SkeletonProps {
  /** A CSS length. Without width and height, the placeholder has the size of a line of text. */
  width?: string
  height?: string
  className?: string | undefined
}

/** Renders a placeholder for content that is loading. */
export function Skeleton({ width, height, className }: SkeletonProps) {
  const style: CSSProperties = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  return <span className={classNames(styles.bone, className)} style={style} aria-hidden="true" />
}

const listIndexesBelow = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Renders a placeholder for a song list, with the height of `count` rows. */
export function SkeletonRows({ count = 8, label = 'Loading...' }: { count?: number; label?: string }) {
  return (
    <div aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        {label}
      </span>
      {listIndexesBelow(count).map((index) => (
        <div key={index} className={styles.row} aria-hidden="true">
          <Skeleton className={styles.rowPicture} />
          <span className={styles.rowText}>
            <Skeleton width={`${46 + ((index * 17) % 30)}%`} />
            <Skeleton width={`${18 + ((index * 11) % 16)}%`} className={styles.second} />
          </span>
        </div>
      ))}
    </div>
  )
}

/** Renders a placeholder for a grid of covers. */
export function SkeletonGrid({
  count = 8,
  ratio = 'square',
  label = 'Loading...',
  className,
}: {
  count?: number
  ratio?: 'square' | 'wide'
  label?: string
  className?: string
}) {
  return (
    <div aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        {label}
      </span>
      <div className={classNames(styles.grid, className)} aria-hidden="true">
        {listIndexesBelow(count).map((index) => (
          <div key={index}>
            <Skeleton className={classNames(styles.cover, styles[ratio])} />
            <Skeleton width="70%" />
            <Skeleton width="40%" className={styles.second} />
          </div>
        ))}
      </div>
    </div>
  )
}
