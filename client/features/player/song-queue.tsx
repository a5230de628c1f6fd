import { QueuePanel } from './queue-panel.tsx'
import { QueueSheetButton } from './queue-sheet.tsx'
import styles from './song-queue.module.css'

/** The queue beside the song; where there is no room beside it, its beginning, and the way to the rest. */
export function SongQueue() {
  return (
    <div className={styles.queue}>
      <QueuePanel />
      <QueueSheetButton wordy className={styles.all} />
    </div>
  )
}
