import { useEffect } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { useOpenLogin } from '../../hooks/login-navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './login-dialog.module.css'
import { useAddFavoriteAfterLogin } from './pending-favorite.tsx'

interface LoginDialogProps {
  open: boolean
  onClose: () => void
  /** The song that is added to the favorites after the login. */
  song: Song | undefined
}

/** Asks to log in before a song can be added to the favorites. After the login, the visitor returns to this page and the song is added. */
export function LoginDialog({ open, onClose, song }: LoginDialogProps) {
  const openLogin = useOpenLogin()
  const uid = useSignedInAccount()?.uid
  const addPendingFavorite = useAddFavoriteAfterLogin()

  useEffect(() => {
    // Closes the dialog if an account is signed in, which can happen in another tab while the dialog is open.
    if (!open || !song || uid === undefined) return
    onClose()
    void addPendingFavorite(song)
  }, [uid, open, song, onClose, addPendingFavorite])

  return (
    <Dialog open={open} onClose={onClose} title="Login required">
      <p className={typeStyles.muted}>Log in to keep your favorite songs, or sign up if you are new here.</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: delegates clicks on the links inside. */}
      <div
        className={styles.choices}
        onClick={(event) => {
          const link = event.target instanceof Element ? event.target.closest('a') : null
          if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          onClose()
          openLogin(link.pathname, song)
        }}
      >
        <Button to="/login" variant="primary">
          Log in
        </Button>
        <Button to="/signup">Sign up</Button>
      </div>
    </Dialog>
  )
}
