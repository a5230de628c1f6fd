import { RECENT_SONGS_SHOWN } from '../../../contract/recent-songs.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { RecentSectionPlaceholder, RecentSongsFrame } from './recent-frame.tsx'
import { useRecentSongs } from './use-recent-plays.ts'

// The song list is an on-demand chunk, because a first visit has no history to list.
const SongList = lazyWithRetry(() => import('../../components/song-list.tsx').then((module) => module.SongList))

/** The section of the home page with the songs that were played last on this device. Renders nothing if no song was played. */
export function RecentSection() {
  const recentSongs = useRecentSongs()
  if (!recentSongs) return <RecentSectionPlaceholder />
  if (recentSongs.songs.length === 0) return null
  return (
    <RecentSongsFrame>
      <SongList
        songs={recentSongs.songs.slice(0, RECENT_SONGS_SHOWN)}
        getContextId={recentSongs.getContextId}
        numbered={false}
        label="Continue listening"
      />
    </RecentSongsFrame>
  )
}
