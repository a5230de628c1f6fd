import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './section-heading.module.css'
import typeStyles from './type.module.css'

interface SectionHeadingProps {
  children: ReactNode
  id?: string
  level?: 1 | 2 | 3
  /** `small`: closer to its content, for sections of a list of settings or facts. */
  size?: 'normal' | 'small'
  /** Content at the end of the line: a link, a count or a sort control. */
  endContent?: ReactNode
}

export function SectionHeading({ children, id, level = 2, size = 'normal', endContent }: SectionHeadingProps) {
  const Heading = `h${level}` as const
  const isSmallHeading = size === 'small'
  return (
    <div className={classNames(styles.line, isSmallHeading && styles.small)}>
      <Heading
        id={id}
        className={
          level === 1
            ? classNames(typeStyles.display, typeStyles.d3)
            : classNames(typeStyles.head, level === 2 && !isSmallHeading ? typeStyles.d2 : typeStyles.d1)
        }
      >
        {children}
      </Heading>
      {endContent !== undefined && <div className={styles.end}>{endContent}</div>}
    </div>
  )
}
