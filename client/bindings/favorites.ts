import { useCallback, useSyncExternalStore } from 'react'
import type { FavoriteTap } from '../data/favorites-interface.ts'
import { usePerson } from './identity.ts'
import { useServices } from './services.tsx'
import { useWrites } from './writes.ts'

export type { FavoriteTap } from '../data/favorites-interface.ts'

const never = () => () => {}

/** Whether a song is a favorite of who is signed in. */
export function useIsFavorite(songId: string): boolean {
  const uid = usePerson()?.uid
  const live = useWrites()?.favorites.list(uid ?? '')
  const isFavorite = () => uid !== undefined && live?.getSnapshot()?.has(songId) === true
  return useSyncExternalStore(uid === undefined ? never : (live?.subscribe ?? never), isFavorite, () => false)
}

/**
 * Changes favorites; shown at once. Gives what takes part of it back, for as long as the same person is signed in; `undefined` where nobody
 * is. Rejects where this device cannot keep it.
 */
export function useTapFavorites(): (
  taps: readonly FavoriteTap[],
) => Promise<((taps: readonly FavoriteTap[]) => Promise<void>) | undefined> {
  const { identity, writes } = useServices()
  return useCallback(
    async (taps) => {
      const uid = identity.getSnapshot()?.uid
      if (uid === undefined) return undefined
      const { favorites } = await writes()
      await favorites.tap(uid, taps)
      return async (undo) => {
        if (identity.getSnapshot()?.uid === uid) await favorites.tap(uid, undo)
      }
    },
    [identity, writes],
  )
}
