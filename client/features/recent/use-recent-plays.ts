import { useCallback, useLayoutEffect, useMemo } from 'react'
import type { Song } from '../../../contract/song.ts'
import { createLiveQuery } from '../../data/live-query.ts'
import { clearHistory, readRecentPlays, storeRecentSongCount } from '../../data/recent-plays.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useServices } from '../../hooks/services.tsx'

interface RecentSongs {
  /** The played songs, most recent first. */
  songs: readonly Song[]
  /** Returns the song context of a play: the requested one, or else the song's category. */
  getContextId: (song: Song) => string
}

/** Returns the songs that were played on this device; `undefined` until they are read. */
export function useRecentSongs(): RecentSongs | undefined {
  const { database } = useServices()
  const recentPlays = useLiveQuery(useMemo(() => createLiveQuery(database, readRecentPlays), [database]))
  // Stores the number of songs again, because a sign-out, another tab or the browser may have removed songs.
  useLayoutEffect(() => {
    if (recentPlays) storeRecentSongCount(recentPlays.length)
  }, [recentPlays])
  return useMemo(() => {
    if (!recentPlays) return undefined
    const contextIdByPlayId = new Map(recentPlays.map(({ id, contextId }) => [id, contextId]))
    return {
      songs: recentPlays.map(({ song }) => song),
      getContextId: (song) => contextIdByPlayId.get(song.youtube_id) ?? song.category_id,
    }
  }, [recentPlays])
}

/**
 * Returns the function that clears the history and the listening times. It resolves with the function that restores them. Both functions
 * reject if the device cannot store the change.
 */
export function useClearHistory(): () => Promise<() => Promise<void>> {
  const { database } = useServices()
  return useCallback(() => clearHistory(database), [database])
}
