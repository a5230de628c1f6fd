import { type FormEvent, useState } from 'react'
import type { PlaylistWithSongs } from '../../../contract/playlist.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { useAction } from '../../hooks/action.ts'
import { useIsAccountKnown } from '../../hooks/identity.ts'
import { createOwnPlaylistContextId } from '../../hooks/own-playlists.ts'
import { createPlaylistPath, useNavigateTo } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextAreaField } from '../../ui/form-controls.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './own-playlists.module.css'
import { useOpenOwnPlaylistStore } from './use-open-store.ts'
import { describeCopyFailure, useAllSharedSongs, useReportPlaylist } from './use-shared-playlist.ts'

/** The button that copies a playlist that its owner shares, and the menu with which it can be reported. */
export function SharedPlaylistTools({ playlist, songs, token }: PlaylistWithSongs & { token: string }) {
  // The store is loaded only by the action, because most visitors of the page do not save a copy.
  const openStore = useOpenOwnPlaylistStore()
  const findAllSongs = useAllSharedSongs(token)
  const isAccountKnown = useIsAccountKnown()
  const toast = useChangeToast()
  const navigateTo = useNavigateTo()
  const [isReporting, setReporting] = useState(false)

  const saveCopy = useAction(
    async () => {
      const [{ uid, ownPlaylists }, allSongs] = await Promise.all([openStore(), findAllSongs({ playlist, songs })])
      const { title, description } = playlist
      const id = await ownPlaylists.create(uid, { title, description, songs: allSongs })
      navigateTo(createPlaylistPath(createOwnPlaylistContextId(id)))
      toast({ kind: 'good', text: 'Saved to your playlists', subject: title })
    },
    (cause) => void toast({ kind: 'bad', text: describeCopyFailure(cause) }),
  )

  return (
    <>
      <Button size="big" icon="plus" disabled={!isAccountKnown} busy={saveCopy.busy} onClick={() => void saveCopy.run()}>
        {'Save a\u00a0copy'}
      </Button>
      <Menu
        label={`More: ${playlist.title}`}
        icon="more"
        items={[{ id: 'report', label: 'Report', icon: 'flag', onSelect: () => setReporting(true) }]}
      />
      <Dialog open={isReporting} onClose={() => setReporting(false)} title="Report this playlist">
        <ReportForm token={token} onClose={() => setReporting(false)} />
      </Dialog>
    </>
  )
}

function ReportForm({ token, onClose }: { token: string; onClose: () => void }) {
  const report = useReportPlaylist(token)
  const toast = useToast()
  const sendReport = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
    const { isSent, message } = await report(reason)
    toast({ kind: isSent ? 'good' : 'bad', text: message })
    if (isSent) onClose()
  }
  return (
    <form className={styles.form} onSubmit={(event) => void sendReport(event)}>
      <TextAreaField label="What is wrong with this playlist?" name="reason" rows={4} minLength={3} maxLength={500} required />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary">
          Send report
        </Button>
        <Button variant="tertiary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
