import type { ReactNode } from 'react'
import { RECENT_SONGS_SHOWN } from '../../../contract/recent-songs.ts'
import { classNames } from '../../ui/class-names.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './recent.module.css'

/**
 * The section 'Continue listening', with `children` as its songs. The section has the height of the number of songs in the history, also
 * before they are rendered.
 */
export function RecentSongsFrame({ children, isLoading = false }: { children: ReactNode; isLoading?: boolean }) {
  return (
    <section className={classNames(styles.section, isLoading && styles.loading)}>
      <div className={typeStyles.wrap}>
        <SectionHeading
          endContent={
            isLoading ? (
              <span className={typeStyles.link}>Recently played</span>
            ) : (
              <a className={typeStyles.link} href="/recent">
                Recently played
              </a>
            )
          }
        >
          Continue listening
        </SectionHeading>
        <div className={styles.rows}>{children}</div>
      </div>
    </section>
  )
}

/** The section 'Continue listening' before its songs are read. Style sheets hide the section on a device without a history. */
export const RecentSectionPlaceholder = () => (
  <RecentSongsFrame isLoading>
    <SkeletonRows count={RECENT_SONGS_SHOWN} />
  </RecentSongsFrame>
)
