import type { ReactNode } from 'react'
import type { Song } from '../../../contract/song.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './recent.module.css'
import { useRecentSongs } from './use-recent-plays.ts'

/** The number of songs that the section shows. */
const SHOWN_SONGS = 4

export interface RecentListProps {
  /** Renders songs as a list. `getContextId` returns the context in which a song was played. */
  renderList: (songs: readonly Song[], getContextId: (song: Song) => string) => ReactNode
}

/** The section of the home page with the songs that were played last on this device. Renders nothing without any. */
export function RecentSection({ renderList }: RecentListProps) {
  const recent = useRecentSongs()
  if (!recent || recent.songs.length === 0) return null
  return (
    <section className={styles.section}>
      <div className={typeStyles.wrap}>
        <SectionHeading
          endContent={
            <a className={typeStyles.link} href="/recent">
              Recently played
            </a>
          }
        >
          Continue listening
        </SectionHeading>
        {renderList(recent.songs.slice(0, SHOWN_SONGS), recent.getContextId)}
      </div>
    </section>
  )
}
