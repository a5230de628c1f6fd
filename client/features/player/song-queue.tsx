import { usePlayerState } from '../../bindings/player.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { QueueSheetButton } from './queue-sheet.tsx'
import styles from './song-queue.module.css'

/** How many rows `song-queue.module.css` leaves where there is no room beside the song. */
const BESIDE = 4

/** The queue beside the song; where there is no room beside it, its beginning, and the way to the rest. */
export function SongQueue() {
  const more = usePlayerState((state) => state.upcoming.length > BESIDE - 1)
  return (
    <div className={styles.queue}>
      <QueuePanel pending />
      {more && <QueueSheetButton wordy className={styles.all} />}
    </div>
  )
}
