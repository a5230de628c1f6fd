import { usePinningBlocked } from '../../bindings/offline.ts'
import { usePinnedPlaylist } from '../../bindings/pinned-playlist.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './pin-playlist-button.module.css'

// The status is an on-demand chunk, because few playlists are pinned.
const PinStatus = lazyWithRetry(() => import('./pin-status.tsx').then((module) => module.PinStatus))

const blockedReasons = {
  refused: 'This browser keeps nothing for this site.',
  full: 'This device is full.',
  blocked: 'Another tab of this site is of an older version: close it first.',
  outdated: 'A newer version of this site has been here: update first.',
} as const

/** Renders the toggle button that downloads a playlist for offline use, and below it the status of the download. */
export function PinPlaylistButton({ id, title, songCount }: { id: string; title: string; songCount: number }) {
  const playlist = usePinnedPlaylist(id, title, songCount)
  const { isPinned, download, bytes } = playlist
  const blockReason = usePinningBlocked()
  // The button is disabled if the playlist could not be stored beyond the lifetime of this page.
  const blockReasonText = !isPinned && !download && blockReason ? blockedReasons[blockReason] : undefined
  return (
    <div className={styles.pin}>
      <Button
        size="big"
        variant="tertiary"
        pressed={isPinned === true}
        disabled={blockReasonText !== undefined}
        onClick={isPinned ? playlist.unpin : playlist.pin}
        className={styles.button ?? ''}
      >
        Keep offline
        <span className={typeStyles.legend}>
          {playlist.isComplete ? '' : 'list and pictures, about '}
          {formatBytes(bytes)}
        </span>
      </Button>
      {blockReasonText && (
        <p className={styles.reason}>
          {blockReasonText}{' '}
          {blockReason === 'full' && (
            <a className={typeStyles.link} href="/storage">
              Free space
            </a>
          )}
        </p>
      )}
      {(isPinned || download) && <PinStatus {...playlist} />}
    </div>
  )
}
