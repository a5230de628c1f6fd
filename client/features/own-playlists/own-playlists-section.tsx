import { useState } from 'react'
import { PlaylistCard } from '../../components/playlist-card.tsx'
import { ownPlaylistContextId, useOwnPlaylistCards } from '../../hooks/own-playlists.ts'
import { playlistPath, useNavigateTo } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './own-playlists.module.css'

const NewPlaylistDialog = lazyDialog('New playlist', () => import('./playlist-form-dialog.tsx').then((module) => module.NewPlaylistDialog))
const ImportDialog = lazyDialog('Import playlists', () => import('./import-dialog.tsx').then((module) => module.ImportDialog))

/** The playlists of the person, with the buttons that create and import some. */
export function OwnPlaylistsSection() {
  const playlists = useOwnPlaylistCards()
  const go = useNavigateTo()
  const [openDialog, setOpenDialog] = useState<'new' | 'import'>()
  const closeDialog = () => setOpenDialog(undefined)
  return (
    <section className={styles.section} aria-labelledby="own-playlists">
      <SectionHeading
        id="own-playlists"
        size="small"
        endContent={
          <span className={styles.buttons}>
            <Button icon="plus" onClick={() => setOpenDialog('new')}>
              New playlist
            </Button>
            <Button icon="file" onClick={() => setOpenDialog('import')}>
              Import
            </Button>
          </span>
        }
      >
        Your playlists
      </SectionHeading>
      {playlists?.length === 0 && (
        <p className={typeStyles.muted}>
          Make one here, or add a song to one from the menu of the song. They work without a connection, too.
        </p>
      )}
      {playlists && playlists.length > 0 && (
        <ul className={styles.grid} aria-label="Your playlists">
          {playlists.map((playlist) => (
            <li key={playlist.id}>
              <PlaylistCard playlist={playlist} headingLevel={3} />
            </li>
          ))}
        </ul>
      )}
      <NewPlaylistDialog open={openDialog === 'new'} onClose={closeDialog} onCreated={(id) => go(playlistPath(ownPlaylistContextId(id)))} />
      <ImportDialog open={openDialog === 'import'} onClose={closeDialog} />
    </section>
  )
}
