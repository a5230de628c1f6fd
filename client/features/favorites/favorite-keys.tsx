import { type ReactNode, useCallback, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { FavoriteChanges } from '../../bindings/favorite-toggle.ts'
import { useTapFavorites } from '../../bindings/favorites.ts'
import { createDialogPart } from '../../ui/dialog-part.tsx'
import { useToast } from '../../ui/toast.tsx'

const LoginDialog = createDialogPart('Login required', () => import('./login-dialog.tsx').then((module) => module.LoginDialog))

/** Long enough to be read, reached and pressed. */
const UNDO_MS = 10_000

/** What every heart below it does. Who is not signed in is asked to log in, and the heart is taken once they have. */
export function FavoriteKeys({ children }: { children: ReactNode }) {
  const tap = useTapFavorites()
  const toast = useToast()
  /** The song whose heart a visitor has pressed. */
  const [wanted, setWanted] = useState<Song>()

  const change = useCallback(
    (song: Song, favorite: boolean) => {
      const to = (next: boolean) => [{ songId: song.youtube_id, favorite: next, song }]
      const failed = () => toast({ kind: 'bad', text: 'This could not be kept on this device.' })
      tap(to(favorite)).then((undo) => {
        if (!undo) return setWanted(song)
        toast({
          text: favorite ? 'Added to your favorites.' : 'Removed from your favorites.',
          icon: favorite ? 'heart-filled' : 'heart',
          durationMs: UNDO_MS,
          action: { label: 'Undo', onSelect: () => void undo(to(!favorite)).catch(failed) },
        })
      }, failed)
    },
    [tap, toast],
  )

  return (
    <FavoriteChanges value={change}>
      {children}
      <LoginDialog open={wanted !== undefined} song={wanted} onClose={() => setWanted(undefined)} />
    </FavoriteChanges>
  )
}
