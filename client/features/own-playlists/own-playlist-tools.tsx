import { useState } from 'react'
import { useChangeToast } from '../../components/use-change-toast.ts'
import {
  createOwnPlaylistContextId,
  describeOwnPlaylistFailure,
  useOwnPlaylistStore,
  useOwnPlaylistSummary,
} from '../../hooks/own-playlists.ts'
import { createPlaylistPath, useNavigateTo } from '../../hooks/paths.ts'
import { useServices } from '../../hooks/services.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PlaylistsLoadingNotice } from './playlists-loading-notice.tsx'
import { type PlaylistFormat, savePlaylist } from './save-playlist.ts'

const RenamePlaylistDialog = lazyDialog('Name and description', () =>
  import('./playlist-form-dialog.tsx').then((module) => module.RenamePlaylistDialog),
)

const SharePlaylistDialog = lazyDialog('Share', () => import('./share-playlist-dialog.tsx').then((module) => module.SharePlaylistDialog))

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000

interface OwnPlaylistToolsProps {
  id: string
  title: string
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
}

/** The buttons that change, copy, export and delete an own playlist. */
export function OwnPlaylistTools({ id, title, isEditing, onEdit }: OwnPlaylistToolsProps) {
  const store = useOwnPlaylistStore()
  const toast = useChangeToast()
  const navigateTo = useNavigateTo()
  const { offlinePlaylists } = useServices()
  /** The open dialog; `undefined` before the first one is opened. */
  const [openDialog, setOpenDialog] = useState<'rename' | 'share' | 'none'>()
  const closeDialog = () => setOpenDialog('none')
  // Only dialogs need the summary. Reading a playlist of thousands of songs once more would delay its page.
  const summary = useOwnPlaylistSummary(openDialog === undefined ? undefined : id)
  if (!store) return <span />
  const { uid, ownPlaylists } = store

  const showFailure = (error: unknown) => void toast({ kind: 'bad', text: describeOwnPlaylistFailure(error) })

  /** Unpins the playlist, unless it was restored. One that is restored later is downloaded again if the person asks for it. */
  const unpinDeleted = async () => {
    const content = await ownPlaylists.readContent(uid, id)
    if (content?.summary.deletedAtMs !== undefined) await offlinePlaylists.unpin(createOwnPlaylistContextId(id))
  }

  const removePlaylist = async () => {
    // Leaves the page of the playlist first, because it would otherwise report that the playlist does not exist.
    const removal = ownPlaylists.remove(uid, id)
    navigateTo('/playlists')
    await removal
    toast({
      text: 'Playlist deleted',
      subject: title,
      icon: 'trash',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: () => void ownPlaylists.restore(uid, id).catch(showFailure) },
      // If the device cannot unpin the playlist now, a later start does.
      onExpire: () => void unpinDeleted().catch(() => {}),
    })
  }

  const duplicatePlaylist = async () => {
    const copiedPlaylistId = await ownPlaylists.duplicate(uid, id, `${title} (copy)`)
    navigateTo(createPlaylistPath(createOwnPlaylistContextId(copiedPlaylistId)))
  }

  const exportAs = async (format: PlaylistFormat) => {
    const content = await ownPlaylists.readContent(uid, id)
    if (content) savePlaylist(format, content)
  }

  return (
    <>
      <Menu
        label={`More: ${title}`}
        icon="more"
        items={[
          { id: 'edit', label: isEditing ? 'Done arranging' : 'Arrange songs', icon: 'grip', onSelect: () => onEdit(!isEditing) },
          { id: 'rename', label: 'Name and description', icon: 'settings', onSelect: () => setOpenDialog('rename') },
          { id: 'share', label: 'Share', icon: 'share', onSelect: () => setOpenDialog('share') },
          { id: 'duplicate', label: 'Duplicate', icon: 'plus', onSelect: () => void duplicatePlaylist().catch(showFailure) },
          ...(['csv', 'm3u8', 'json'] as const).map((format) => ({
            id: format,
            label: `Export as ${format.toUpperCase()}`,
            icon: 'download' as const,
            divided: format === 'csv',
            onSelect: () => void exportAs(format).catch(showFailure),
          })),
          { id: 'delete', label: 'Delete', icon: 'trash', divided: true, onSelect: () => void removePlaylist().catch(showFailure) },
        ]}
      />
      <PlaylistsLoadingNotice />
      {summary && (
        <>
          <RenamePlaylistDialog open={openDialog === 'rename'} onClose={closeDialog} playlist={summary} />
          <SharePlaylistDialog open={openDialog === 'share'} onClose={closeDialog} playlist={summary} />
        </>
      )}
    </>
  )
}
