import { createContext, use, useCallback, useSyncExternalStore } from 'react'
import type { Song } from '../../contract/song.ts'
import type { FavoriteEdit } from '../data/favorites.ts'
import { useSignedInAccount } from './identity.ts'
import { useOfflineMutations } from './offline-mutations.ts'
import { useServices } from './services.tsx'

export type { FavoriteEdit } from '../data/favorites.ts'

const subscribeToNothing = () => () => {}

/** Returns whether a song is a favorite of the signed-in account. */
function useIsFavorite(songId: string): boolean {
  const uid = useSignedInAccount()?.uid
  const list = useOfflineMutations()?.favorites.list(uid ?? '')
  const isFavorite = () => uid !== undefined && list?.getSnapshot()?.has(songId) === true
  return useSyncExternalStore(uid === undefined ? subscribeToNothing : (list?.subscribe ?? subscribeToNothing), isFavorite, () => false)
}

/**
 * Returns the function that changes favorites of the signed-in account. The page shows the change immediately. It resolves with an undo function,
 * which does nothing after a change of account, or with `undefined` if no account is signed in. It rejects if the changes cannot be stored on this
 * device.
 */
export function useEditFavorites(): (
  edits: readonly FavoriteEdit[],
) => Promise<((edits: readonly FavoriteEdit[]) => Promise<void>) | undefined> {
  const { identity, offlineMutations } = useServices()
  return useCallback(
    async (favoriteEdits) => {
      const uid = identity.getSnapshot()?.uid
      if (uid === undefined) return undefined
      const { favorites } = await offlineMutations()
      await favorites.edit(uid, favoriteEdits)
      return async (undoEdits) => {
        if (identity.getSnapshot()?.uid === uid) await favorites.edit(uid, undoEdits)
      }
    },
    [identity, offlineMutations],
  )
}

/** Adds or removes a favorite and shows the change with an undo action. If nobody is signed in, opens the login dialog instead. */
export type ChangeFavorite = (song: Song, favorite: boolean) => void

/** The React context that contains the function to add or remove a favorite. One provider above all pages sets the function. */
export const ChangeFavoriteContext = createContext<ChangeFavorite>(() => {})

/** Returns whether a song is a favorite and the function that its heart button calls. */
export function useFavoriteToggle(song: Song | undefined): { isFavorite: boolean; toggle: () => void } {
  const changeFavorite = use(ChangeFavoriteContext)
  const isFavorite = useIsFavorite(song?.youtube_id ?? '')
  return { isFavorite, toggle: () => song && changeFavorite(song, !isFavorite) }
}
