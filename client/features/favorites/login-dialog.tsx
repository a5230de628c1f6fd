import { useGoToLogIn } from '../../bindings/return-to.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './login-dialog.module.css'

/** For who is not signed in. Whoever logs in comes back to where they were. */
export function LoginDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const goToLogIn = useGoToLogIn()
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
