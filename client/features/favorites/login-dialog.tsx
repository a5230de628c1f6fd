import { useEffect, useRef } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useReadFavorite } from '../../bindings/favorite-list.ts'
import type { ChangeFavorite } from '../../bindings/favorite-toggle.ts'
import { usePerson } from '../../bindings/identity.ts'
import { useGoToLogIn } from '../../bindings/return-to.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './login-dialog.module.css'

interface LoginDialogProps {
  open: boolean
  onClose: () => void
  /** Whose heart was pressed. */
  song: Song | undefined
  onChange: ChangeFavorite
}

/** For who is not signed in. Whoever logs in comes back to where they were, and has the song among their favorites then. */
export function LoginDialog({ open, onClose, song, onChange }: LoginDialogProps) {
  const goToLogIn = useGoToLogIn()
  const uid = usePerson()?.uid
  const readFavorite = useReadFavorite()
  const toast = useToast()
  /** The song of who has gone to log in. */
  const leftFor = useRef<Song>(undefined)

  useEffect(() => {
    // Where it is still open, they have logged in in another tab.
    const wanted = open ? song : leftFor.current
    if (uid === undefined || !wanted) return
    leftFor.current = undefined
    onClose()
    void readFavorite(wanted.youtube_id).then((already) => {
      if (already) toast({ text: 'This song is in your favorites already.', icon: 'heart-filled' })
      else onChange(wanted, true)
    })
  }, [uid, open, song, onClose, onChange, readFavorite, toast])

  return (
    <Dialog open={open} onClose={onClose} title="Login required">
      <p className={typeStyles.muted}>Log in to keep your favorite songs, or sign up if you are new here.</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: takes over a plain press on the links inside. */}
      <div
        className={styles.choices}
        onClick={(event) => {
          const link = event.target instanceof Element ? event.target.closest('a') : null
          if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          leftFor.current = song
          onClose()
          goToLogIn(link.pathname)
        }}
      >
        <Key to="/login" variant="lit">
          Log in
        </Key>
        <Key to="/signup">Sign up</Key>
      </div>
    </Dialog>
  )
}
