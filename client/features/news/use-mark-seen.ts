import { useEffect, useState } from 'react'
import { markFollowedSongsSeen } from '../../data/followed-songs.ts'
import type { LocalDatabase } from '../../data/local-database.ts'
import { addListener } from '../../primitives/scope.ts'

/**
 * Marks the songs of the followed artists as seen while the page is visible. Returns the number of songs that were unseen when the page was
 * opened.
 */
export function useMarkSeen(database: LocalDatabase, uid: string, unseenCount: number): number {
  const [shownUnseenCount, setShownUnseenCount] = useState(0)
  if (unseenCount > shownUnseenCount) setShownUnseenCount(unseenCount)
  useEffect(() => {
    const markSeen = () => {
      if (unseenCount > 0 && document.visibilityState === 'visible') markFollowedSongsSeen(database, uid).catch(() => {})
    }
    markSeen()
    return addListener(document, 'visibilitychange', markSeen)
  }, [database, uid, unseenCount])
  return shownUnseenCount
}
