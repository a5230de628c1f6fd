import { use, useCallback, useEffect } from 'react'
import type { Song } from '../../../contract/song.ts'
import { ChangeFavoriteContext } from '../../hooks/favorites.ts'
import { useIdentity } from '../../hooks/identity.ts'
import { usePendingFavorite } from '../../hooks/login-navigation.ts'
import { useToast } from '../../ui/toast.tsx'
import { useCheckFavorite } from './use-favorite-list.ts'

/** Rendered on the login pages: adds the pending favorite after the login. Renders nothing. */
export function PendingFavorite() {
  const identity = useIdentity()
  const pendingFavorite = usePendingFavorite()
  const addPendingFavorite = useAddFavoriteAfterLogin()
  useEffect(() => {
    // If an account was signed in from the start, an earlier login has already added the pending favorite.
    if (!pendingFavorite || identity.getSnapshot()) return
    const unsubscribe = identity.subscribe(() => {
      if (!identity.getSnapshot()) return
      unsubscribe()
      void addPendingFavorite(pendingFavorite)
    })
    return unsubscribe
  }, [identity, pendingFavorite, addPendingFavorite])
  return null
}

/** Returns a function that adds the song requested before the login to the favorites, unless it is one already. */
export function useAddFavoriteAfterLogin(): (song: Song) => Promise<void> {
  const changeFavorite = use(ChangeFavoriteContext)
  const readFavorite = useCheckFavorite()
  const toast = useToast()
  return useCallback(
    async (song) => {
      const isFavorite = await readFavorite(song.youtube_id)
      if (isFavorite) toast({ text: 'This song is already in your favorites.', icon: 'heart-filled' })
      // `undefined` means that the account changed while the favorite was read: nothing is added to the other account.
      if (isFavorite === false) changeFavorite(song, true)
    },
    [changeFavorite, readFavorite, toast],
  )
}
