import { use, useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useReadFavorite } from '../../bindings/favorite-list.ts'
import { FavoriteChanges } from '../../bindings/favorite-toggle.ts'
import { useToast } from '../../ui/toast.tsx'

/** Takes the song that somebody wished for before they logged in among their favorites. */
export function useTakeWish(): (song: Song) => Promise<void> {
  const change = use(FavoriteChanges)
  const readFavorite = useReadFavorite()
  const toast = useToast()
  return useCallback(
    async (song) => {
      const already = await readFavorite(song.youtube_id)
      if (already) toast({ text: 'This song is in your favorites already.', icon: 'heart-filled' })
      // Who wished for it is the one who logged in, and nobody after them.
      if (already === false) change(song, true)
    },
    [change, readFavorite, toast],
  )
}
