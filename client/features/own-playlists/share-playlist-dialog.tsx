import { useState } from 'react'
import { SHARED_PLAYLIST_PATH } from '../../../contract/paths.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import type { OwnPlaylistSummary } from '../../hooks/own-playlists.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FocusContainer } from '../../ui/focus-container.tsx'
import { ShareActions } from '../../ui/share-actions.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { LoginLink } from './login-link.tsx'
import styles from './own-playlists.module.css'
import { type ShareFailure, toShareFailure, useShareOwnPlaylist } from './use-shared-playlist.ts'

interface SharePlaylistDialogProps {
  open: boolean
  onClose: () => void
  playlist: OwnPlaylistSummary
}

/** A dialog that makes an own playlist public by a link, and private again. */
export function SharePlaylistDialog({ open, onClose, playlist }: SharePlaylistDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Share">
      <ShareSettings playlist={playlist} />
    </Dialog>
  )
}

function ShareSettings({ playlist: { id, title, share, hidden } }: Pick<SharePlaylistDialogProps, 'playlist'>) {
  const isSignedIn = useSignedInAccount() !== undefined
  const setShare = useShareOwnPlaylist(id)
  const [isSharingBusy, setBusy] = useState(false)
  const [statusText, setStatusText] = useState('')
  const [shareFailure, setFailure] = useState<ShareFailure & { retry: () => Promise<void> }>()

  const changeSharing = async (sharingValues: { share: boolean; indexed?: boolean }) => {
    if (isSharingBusy) return
    setBusy(true)
    setFailure(undefined)
    setStatusText('')
    try {
      await setShare(sharingValues)
      if (sharingValues.indexed === undefined)
        setStatusText(sharingValues.share ? 'Everybody with the link can listen now.' : 'The link has ended.')
    } catch (cause) {
      setFailure({ ...toShareFailure(cause), retry: () => changeSharing(sharingValues) })
    }
    setBusy(false)
  }

  if (!isSignedIn)
    return (
      <div className={styles.form}>
        <p>Log in to share a playlist: the playlists of this device join your account.</p>
        <div className={styles.buttons}>
          <LoginLink />
        </div>
      </div>
    )
  return (
    <FocusContainer className={styles.form}>
      <p role="status" className={typeStyles.hidden}>
        {statusText}
      </p>
      {shareFailure && (
        <>
          <Notice kind="bad">{shareFailure.messageText}</Notice>
          <div className={styles.buttons}>
            {shareFailure.help === 'login' && <LoginLink />}
            {typeof shareFailure.help === 'object' && <Button to={shareFailure.help.to}>{shareFailure.help.label}</Button>}
            {shareFailure.help === undefined && (
              <Button icon="loop" onClick={() => void shareFailure.retry()}>
                Try again
              </Button>
            )}
          </div>
        </>
      )}
      {hidden !== undefined && <Notice kind="bad">The team of this site has hidden the public page: {hidden}</Notice>}
      {share === undefined ? (
        <>
          <p>Only you see this playlist. With a link, everybody who has the link can listen to it and save a copy.</p>
          <div className={styles.buttons}>
            <Button variant="primary" busy={isSharingBusy} onClick={() => void changeSharing({ share: true })}>
              Make a link
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className={classNames(typeStyles.mono, styles.address)}>{`${location.origin}${SHARED_PLAYLIST_PATH}?l=${share.token}`}</p>
          <ActionBar>
            <ShareActions path={`${SHARED_PLAYLIST_PATH}?l=${share.token}`} title={title} />
          </ActionBar>
          <label className={styles.box}>
            <input
              type="checkbox"
              checked={share.indexed}
              aria-disabled={isSharingBusy}
              onChange={(event) => void changeSharing({ share: true, indexed: event.currentTarget.checked })}
            />
            Let search engines show it
          </label>
          <div className={styles.buttons}>
            <Button busy={isSharingBusy} onClick={() => void changeSharing({ share: false })}>
              Stop sharing
            </Button>
          </div>
        </>
      )}
    </FocusContainer>
  )
}
