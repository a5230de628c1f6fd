import { usePinningBlocked, useServerUnreachable } from '../../bindings/offline.ts'
import { type PinnedPlaylist, usePinnedPlaylist } from '../../bindings/pinned-playlist.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './pin-playlist-button.module.css'

const blockedReasons = {
  refused: 'This browser keeps nothing for this site.',
  full: 'This device is full.',
  blocked: 'Another tab of this site is of an older version: close it first.',
  outdated: 'A newer version of this site has been here: update first.',
} as const

/** Renders the toggle button that downloads a playlist for offline use, with the progress of the download. */
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
          {playlist.isComplete ? '' : 'about '}
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
      {download && <DownloadProgress download={download} pin={playlist.pin} unpin={playlist.unpin} />}
    </div>
  )
}

const progressText = ({ done, total }: { done: number; total: number }) => (total === 0 ? 'Begins...' : `${done} of ${total}`)

const haltedTexts = {
  offline: 'Waits for a connection, then goes on.',
  full: 'This device is full.',
  failed: 'It could not be fetched.',
} as const
const SERVER_UNREACHABLE = 'Waits for the site, then goes on.'

type DownloadProgressProps = Pick<PinnedPlaylist, 'pin' | 'unpin'> & { download: NonNullable<PinnedPlaylist['download']> }

function DownloadProgress({ download, pin: pinPlaylist, unpin: unpinPlaylist }: DownloadProgressProps) {
  const { done, total, halted } = download
  const isServerUnreachable = useServerUnreachable()
  const haltedText = halted === 'offline' && isServerUnreachable ? SERVER_UNREACHABLE : halted && haltedTexts[halted]
  return (
    <div className={styles.progress}>
      <progress className={styles.bar} value={done} max={Math.max(1, total)} aria-label="Kept so far" />
      <p className={styles.line}>
        {/* Screen readers announce the text only when the download halts, not after every picture. */}
        <span role={halted ? 'alert' : undefined}>{haltedText ?? progressText(download)}</span>
        {halted === 'full' && (
          <a className={typeStyles.link} href="/storage">
            Free space
          </a>
        )}
        {halted && (
          <button type="button" className={typeStyles.link} onClick={pinPlaylist}>
            Retry
          </button>
        )}
        <button type="button" className={typeStyles.link} onClick={unpinPlaylist}>
          Cancel
        </button>
      </p>
    </div>
  )
}
