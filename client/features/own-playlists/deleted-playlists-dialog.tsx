import { DELETED_PLAYLIST_RESTORABLE_MS } from '../../../contract/own-playlist-rules.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { type OwnPlaylistSummary, useDeletedOwnPlaylists } from '../../hooks/own-playlists.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FocusContainer } from '../../ui/focus-container.tsx'
import { formatLongDate, formatPlural } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './own-playlists.module.css'
import { describeSaveFailure, useOpenOwnPlaylistStore } from './use-open-store.ts'

interface DeletedPlaylistsDialogProps {
  open: boolean
  onClose: () => void
}

/** A dialog that lists the deleted own playlists, each with the last day on which it can be restored. */
export function DeletedPlaylistsDialog({ open, onClose }: DeletedPlaylistsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Deleted playlists">
      <DeletedPlaylists />
    </Dialog>
  )
}

function DeletedPlaylists() {
  const openStore = useOpenOwnPlaylistStore()
  const playlists = useDeletedOwnPlaylists()
  const toast = useChangeToast()

  const restorePlaylist = async ({ id, title }: OwnPlaylistSummary) => {
    try {
      const { uid, ownPlaylists } = await openStore()
      await ownPlaylists.restore(uid, id)
      toast({ kind: 'good', text: 'Playlist restored', subject: title })
    } catch (error) {
      toast({ kind: 'bad', text: describeSaveFailure(error) })
    }
  }

  return (
    <FocusContainer>
      {playlists?.length === 0 && (
        <p className={typeStyles.muted}>There are no deleted playlists. One that you delete can be restored here for 30 days.</p>
      )}
      {playlists && playlists.length > 0 && (
        <ul className={styles.choices} aria-label="Deleted playlists">
          {playlists.map((playlist, index) => (
            <li key={playlist.id} className={styles.deleted} data-index={index}>
              <div className={typeStyles.lines}>
                <span className={styles.title} dir="auto">
                  {playlist.title}
                </span>
                <span className={styles.note}>
                  {playlist.isPartial ? 'Can' : `${formatPlural(playlist.songCount, 'song')}, can`} be restored until{' '}
                  {formatLastDay(playlist)}
                </span>
              </div>
              <Button onClick={() => void restorePlaylist(playlist)}>
                Restore<span className={typeStyles.hidden}> {playlist.title}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </FocusContainer>
  )
}

/** Returns the last day, in UTC, on which a deleted playlist can be restored. */
const formatLastDay = ({ deletedAtMs = 0 }: OwnPlaylistSummary): string =>
  formatLongDate(new Date(deletedAtMs + DELETED_PLAYLIST_RESTORABLE_MS).toISOString())
