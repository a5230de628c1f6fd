import { type ReactNode, useCallback, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { ChangeFavoriteContext, useEditFavorites } from '../../hooks/favorites.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const LoginDialog = lazyDialog('Login required', () => import('./login-dialog.tsx').then((module) => module.LoginDialog))

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000

/** Provides the function that favorite buttons call. Without a login it opens the login dialog, and the song is added after the login. */
export function FavoritesProvider({ children }: { children: ReactNode }) {
  const editFavorites = useEditFavorites()
  const toast = useChangeToast()
  /** The song that is added to the favorites after the login. */
  const [pendingFavorite, setPendingFavorite] = useState<Song>()

  const changeFavorite = useCallback(
    (song: Song, isFavorite: boolean) => {
      const createChange = (shouldBeFavorite: boolean) => [{ songId: song.youtube_id, favorite: shouldBeFavorite, song }]
      const showFailure = () => toast({ kind: 'bad', text: "This couldn't be saved on this device." })
      editFavorites(createChange(isFavorite)).then((undoChange) => {
        if (!undoChange) return setPendingFavorite(song)
        toast({
          text: isFavorite ? 'Added to your favorites' : 'Removed from your favorites',
          subject: song.title,
          icon: isFavorite ? 'heart-filled' : 'heart',
          durationMs: UNDO_OFFERED_MS,
          action: { label: 'Undo', onSelect: () => void undoChange(createChange(!isFavorite)).catch(showFailure) },
        })
      }, showFailure)
    },
    [editFavorites, toast],
  )

  return (
    <ChangeFavoriteContext value={changeFavorite}>
      {children}
      <LoginDialog open={pendingFavorite !== undefined} song={pendingFavorite} onClose={() => setPendingFavorite(undefined)} />
    </ChangeFavoriteContext>
  )
}
