import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './recent.module.css'
import { useRecentSongs } from './use-recent-plays.ts'

const SHOWN_SONGS = 4

// The song list is an on-demand chunk, because a first visit has no history to list.
const SongList = lazyWithRetry(() => import('../../components/song-list.tsx').then((module) => module.SongList))

/** The section of the home page with the songs that were played last on this device. Renders nothing if no song was played. */
export function RecentSection() {
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
        <SongList
          songs={recent.songs.slice(0, SHOWN_SONGS)}
          getContextId={recent.getContextId}
          numbered={false}
          label="Continue listening"
        />
      </div>
    </section>
  )
}
