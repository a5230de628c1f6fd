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

/** Changes favorites; shown at once. False: nobody is signed in. Rejects where this device cannot keep it. */
export function useTapFavorites(): (taps: readonly FavoriteTap[]) => Promise<boolean> {
  const { identity, writes } = useServices()
  return useCallback(
    async (taps) => {
      const uid = identity.getSnapshot()?.uid
      if (uid === undefined) return false
      await (await writes()).favorites.tap(uid, taps)
      return true
    },
    [identity, writes],
  )
}
