import { usePlayerState } from '../../hooks/player.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { QueueSheetButton } from './queue-sheet.tsx'
import styles from './song-queue.module.css'

/** Number of rows that `song-queue.module.css` shows on narrow screens. */
const ROWS_BESIDE_SONG = 4

/** The queue beside the song. Narrow screens show the first rows and a button that opens the whole queue. */
export function SongQueue() {
  // The queue is shown while it is loading, so that the content below does not move.
  const hasMoreSongs = usePlayerState(
    ({ upcoming, isContextLoading, songId, status }) =>
      upcoming.length > ROWS_BESIDE_SONG - 1 || isContextLoading || (songId === undefined && status !== 'failed'),
  )
  return (
    <div className={styles.queue}>
      <QueuePanel isSongPending />
      {/* The button is hidden instead of removed, because its sheet stays open when the queue is cleared. */}
      <QueueSheetButton hasLabel className={hasMoreSongs ? styles.all : styles.none} />
    </div>
  )
}
