import { useCallback, useSyncExternalStore } from 'react'
import type { Song } from '../../contract/song.ts'
import type { FavoriteList, FavoriteTap } from '../data/favorites-interface.ts'
import type { Live } from '../data/live.ts'
import { usePerson } from './identity.ts'
import { useServices } from './services.tsx'
import { useWrites } from './writes.ts'

export type { FavoriteEntry, FavoriteList, FavoriteTap } from '../data/favorites-interface.ts'

const never = () => () => {}
const unread = () => undefined

function useLive<T>(live: Live<T> | undefined): T | undefined {
  return useSyncExternalStore(live?.subscribe ?? never, live?.getSnapshot ?? unread, unread)
}

/** The favorites of who is signed in; `undefined` as long as they are not known. */
export function useFavoriteList(): FavoriteList | undefined {
  const uid = usePerson()?.uid
  const writes = useWrites()
  return useLive(uid === undefined ? undefined : writes?.favorites.list(uid))
}

/** Their songs, newest first. */
export function useFavoriteSongs(): readonly Song[] | undefined {
  const uid = usePerson()?.uid
  const writes = useWrites()
  return useLive(uid === undefined ? undefined : writes?.favorites.songs(uid))
}

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
