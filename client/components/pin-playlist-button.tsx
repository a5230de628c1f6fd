import { usePinningBlocked } from '../hooks/offline.ts'
import { usePinnedPlaylist } from '../hooks/pinned-playlist.ts'
import { Button } from '../ui/button.tsx'
import { formatBytes } from '../ui/format.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './pin-playlist-button.module.css'

// The status is an on-demand chunk, because few playlists are pinned.
const PinStatus = lazyWithRetry(() => import('./pin-status.tsx').then((module) => module.PinStatus))

/** Renders the toggle button that downloads a playlist for offline use, and below it the status of the download. */
export function PinPlaylistButton({ id, title, songCount }: { id: string; title: string; songCount: number }) {
  const playlist = usePinnedPlaylist(id, title, songCount)
  const { isPinned, download, bytes } = playlist
  // The button is disabled if the playlist could not be stored beyond the lifetime of this page.
  const blockReason = usePinningBlocked()
  const isBlocked = !isPinned && !download && blockReason !== undefined
  return (
    <div className={styles.pin}>
      <Button
        size="big"
        variant="tertiary"
        pressed={isPinned === true}
        disabled={isBlocked}
        onClick={isPinned ? playlist.unpin : playlist.pin}
        className={styles.button ?? ''}
      >
        Keep offline
        <span className={typeStyles.legend}>
          {playlist.isComplete ? '' : 'list and pictures, about '}
          {formatBytes(bytes)}
        </span>
      </Button>
      {(isPinned || download || isBlocked) && <PinStatus {...playlist} blockReason={isBlocked ? blockReason : undefined} />}
    </div>
  )
}
