import { useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import type { FavoriteList } from '../../data/favorites.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useOfflineMutations } from '../../hooks/offline-mutations.ts'
import { useServices } from '../../hooks/services.tsx'

export type { FavoriteEntry, FavoriteList } from '../../data/favorites.ts'

/** Returns the favorites of the signed-in account; `undefined` until they are loaded. */
export function useFavoriteList(): FavoriteList | undefined {
  const uid = useSignedInAccount()?.uid
  const offlineMutations = useOfflineMutations()
  return useLiveQuery(uid === undefined ? undefined : offlineMutations?.favorites.list(uid))
}

/** Returns the favorite songs of the signed-in account, newest first; `undefined` until they are loaded. */
export function useFavoriteSongs(): readonly Song[] | undefined {
  const uid = useSignedInAccount()?.uid
  const offlineMutations = useOfflineMutations()
  return useLiveQuery(uid === undefined ? undefined : offlineMutations?.favorites.songs(uid))
}

/**
 * Returns the function that resolves with whether a song is a favorite of the signed-in account, after all favorites are synchronized.
 * `undefined` if the account has changed in the meantime. Never rejects.
 */
export function useCheckFavorite(): (songId: string) => Promise<boolean | undefined> {
  const { identity, offlineMutations } = useServices()
  return useCallback(
    async (songId) => {
      const uid = identity.getSnapshot()?.uid
      if (uid === undefined) return undefined
      const favoriteList = await offlineMutations().then(
        ({ favorites }) => favorites.waitForList(uid, ({ complete }) => complete),
        () => undefined,
      )
      return identity.getSnapshot()?.uid === uid ? favoriteList?.has(songId) === true : undefined
    },
    [identity, offlineMutations],
  )
}
