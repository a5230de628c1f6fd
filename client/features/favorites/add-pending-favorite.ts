import { use, useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import { FavoriteChanges } from '../../hooks/favorites.ts'
import { useToast } from '../../ui/toast.tsx'
import { useReadFavorite } from './use-favorite-list.ts'

/** Returns a function that adds the song requested before the login to the favorites, unless it is one already. */
export function useAddFavoriteAfterLogin(): (song: Song) => Promise<void> {
  const changeFavorite = use(FavoriteChanges)
  const readFavorite = useReadFavorite()
  const toast = useToast()
  return useCallback(
    async (song) => {
      const isFavorite = await readFavorite(song.youtube_id)
      if (isFavorite) toast({ text: 'This song is in your favorites already.', icon: 'heart-filled' })
      // `undefined` means that the account changed while the favorite was read: nothing is added to the other account.
      if (isFavorite === false) changeFavorite(song, true)
    },
    [changeFavorite, readFavorite, toast],
  )
}
