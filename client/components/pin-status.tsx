import { type PinningBlockReason, useServerUnreachable } from '../hooks/offline.ts'
import type { PinnedPlaylist } from '../hooks/pinned-playlist.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './pin-playlist-button.module.css'

const formatProgress = ({ done, total }: { done: number; total: number }) => (total === 0 ? 'Starting...' : `${done} of ${total}`)

const haltReasonTexts = {
  offline: 'Continues once you are online.',
  full: 'This device is full.',
  failed: 'The download failed.',
} as const
const SERVER_UNREACHABLE_TEXT = 'Continues once the site responds.'

const blockReasonTexts = {
  refused: "This browser doesn't let the site store anything.",
  full: 'This device is full.',
  blocked: 'Another tab has an older version of this site open: close it first.',
  outdated: 'A newer version of this site has run here: update first.',
  insecure: 'Playlists can only be kept at an address that starts with https://.',
} satisfies Record<PinningBlockReason, string>

/** Shows that a playlist is stored on the device, the progress of its download, or why it cannot be stored. */
export function PinStatus({
  isComplete,
  download,
  pin,
  unpin,
  blockReason,
}: PinnedPlaylist & { blockReason: PinningBlockReason | undefined }) {
  if (blockReason)
    return (
      <p className={styles.reason}>
        {blockReasonTexts[blockReason]}{' '}
        {blockReason === 'full' && (
          <a className={typeStyles.link} href="/storage">
            Free space
          </a>
        )}
      </p>
    )
  if (download) return <DownloadProgress download={download} pin={pin} unpin={unpin} />
  return (
    isComplete && (
      <p className={classNames(styles.progress, styles.done)}>
        <Icon name="check" size="s" />
        <span role="status">The list and its pictures are kept on this device. The music needs a connection.</span>
        <a className={typeStyles.link} href="/storage">
          Storage
        </a>
      </p>
    )
  )
}

type DownloadProgressProps = Pick<PinnedPlaylist, 'pin' | 'unpin'> & { download: NonNullable<PinnedPlaylist['download']> }

function DownloadProgress({ download, pin: pinPlaylist, unpin: unpinPlaylist }: DownloadProgressProps) {
  const { done, total, halted } = download
  const isServerUnreachable = useServerUnreachable()
  const haltedText = halted === 'offline' && isServerUnreachable ? SERVER_UNREACHABLE_TEXT : halted && haltReasonTexts[halted]
  return (
    <div className={styles.progress}>
      <progress className={styles.bar} value={done} max={Math.max(1, total)} aria-label="Kept so far" />
      <p className={styles.line}>
        {/* Screen readers announce the text only when the download halts, not after every picture. */}
        <span role={halted ? 'alert' : undefined}>{haltedText ?? formatProgress(download)}</span>
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
