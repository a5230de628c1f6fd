import { useCallback, useMemo } from 'react'
import { createLiveQuery } from '../data/live-query.ts'
import type { RecentPlayRow } from '../data/local-database.ts'
import { readRecentPlays } from '../data/recent-plays.ts'
import { useLiveQuery } from './live-query.ts'
import { useServices } from './services.tsx'

/** Returns the songs that were played on this device, most recent first; `undefined` until they are read. */
export function useRecentPlays(): readonly RecentPlayRow[] | undefined {
  const { database } = useServices()
  return useLiveQuery(useMemo(() => createLiveQuery(database, readRecentPlays), [database]))
}

/** Returns the function that clears the history. Rejects if it cannot be cleared. */
export function useClearHistory(): () => Promise<void> {
  const { database } = useServices()
  return useCallback(async () => (await import('../data/recent-play-writes.ts')).clearHistory(database), [database])
}
