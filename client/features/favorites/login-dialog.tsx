import { useEffect } from 'react'
import type { Song } from '../../../contract/song.ts'
import { usePerson } from '../../bindings/identity.ts'
import { useGoToLogIn } from '../../bindings/return-to.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './login-dialog.module.css'
import { useTakeWish } from './take-wish.ts'

interface LoginDialogProps {
  open: boolean
  onClose: () => void
  /** Whose heart was pressed. */
  song: Song | undefined
}

/** For who is not signed in. Whoever logs in comes back to where they were, and has the song among their favorites then. */
export function LoginDialog({ open, onClose, song }: LoginDialogProps) {
  const goToLogIn = useGoToLogIn()
  const uid = usePerson()?.uid
  const take = useTakeWish()

  useEffect(() => {
    // Where it is still open, they have logged in in another tab.
    if (!open || !song || uid === undefined) return
    onClose()
    void take(song)
  }, [uid, open, song, onClose, take])

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
          onClose()
          goToLogIn(link.pathname, song)
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
