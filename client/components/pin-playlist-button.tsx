import { usePinningBlockReason } from '../hooks/offline.ts'
import { usePinnedPlaylist } from '../hooks/pinned-playlist.ts'
import { formatBytes } from '../ui/format.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './pin-playlist-button.module.css'
import { PlaylistToggleButton } from './playlist-toggle-button.tsx'

// The status is an on-demand chunk, because few playlists are pinned.
const PinStatus = lazyWithRetry(() => import('./pin-status.tsx').then((module) => module.PinStatus))

/** Renders the toggle button that downloads a playlist for offline use, and below it the status of the download. */
export function PinPlaylistButton({ id, title, songCount }: { id: string; title: string; songCount: number }) {
  const playlist = usePinnedPlaylist(id, title, songCount)
  const { isPinned, download, bytes } = playlist
  // The button is disabled if the playlist could not be stored beyond the lifetime of this page.
  const blockReason = usePinningBlockReason()
  const isPinningBlocked = !isPinned && !download && blockReason !== undefined
  return (
    <div className={styles.pin}>
      <PlaylistToggleButton
        icon="download"
        label={isPinned ? 'Kept offline' : 'Keep offline'}
        note={
          <span className={typeStyles.legend}>
            {playlist.isComplete ? '' : 'about '}
            {formatBytes(bytes)}
          </span>
        }
        pressed={isPinned === true}
        disabled={isPinningBlocked}
        onClick={isPinned ? playlist.unpin : playlist.pin}
      />
      {(isPinned || download || isPinningBlocked) && <PinStatus {...playlist} blockReason={isPinningBlocked ? blockReason : undefined} />}
    </div>
  )
}
