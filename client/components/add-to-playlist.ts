import { lazyDialog } from '../ui/lazy-dialog.tsx'

/**
 * The dialog that adds songs to an own playlist, an on-demand chunk. The build puts this module into the chunk of the player, so that modules that are
 * used without a player import the dialog themselves.
 */
export const AddToPlaylistDialog = lazyDialog('Add to playlist', () =>
  import('./add-to-playlist-dialog.tsx').then((module) => module.AddToPlaylistDialog),
)
