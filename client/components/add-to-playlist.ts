import { lazyDialog } from '../ui/lazy-dialog.tsx'

/** The dialog that adds songs to an own playlist, an on-demand chunk. */
export const AddToPlaylistDialog = lazyDialog('Add to playlist', () =>
  import('./add-to-playlist-dialog.tsx').then((module) => module.AddToPlaylistDialog),
)
