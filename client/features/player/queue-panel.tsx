import { type CSSProperties, useDeferredValue, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { AddToPlaylistDialog } from '../../components/add-to-playlist.ts'
import { type PlayerState, usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatPlural } from '../../ui/format.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { useDragToReorder } from '../../ui/use-drag-to-reorder.ts'
import styles from './queue-panel.module.css'
import { CurrentSongRow, QueueRow } from './queue-row.tsx'

const EndlessSwitch = lazyWithRetry(() => import('./endless-switch.tsx').then((module) => module.EndlessSwitch), {
  fallback: (props) => <div {...props} />,
  renderError: () => null,
})

// The maximum number of rows. Further songs are only counted.
const MAX_QUEUE_ROWS = 100
/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000
/** The number of placeholder rows while the queue is loading: as many as fit next to the song on a narrow screen. */
const PLACEHOLDER_ROW_NUMBERS = [1, 2, 3, 4]

/** The texts that say which song is played after the last song of the queue, by its kind. */
const NEXT_TEXT_BY_KIND: Record<PlayerState['nextKind'], string> = {
  none: 'End of the queue.',
  random: 'Then a random song.',
  wrap: 'Then from the top.',
  linked: 'Then the next song of this list.',
  related: 'Then related songs.',
  // `take` means that the next song comes from the queue. The song has a row, so no text is needed.
  take: '',
}

interface QueuePanelProps {
  hasHeading?: boolean
  /** Whether a song is about to be opened. If so, an empty queue is shown as loading. */
  isSongPending?: boolean
}

/** The current song and the following songs, which can be reordered. */
export function QueuePanel({ hasHeading = true, isSongPending = false }: QueuePanelProps) {
  const player = usePlayer()
  const toast = useToast()
  const currentSong = usePlayerState((state) => state.current)
  const upcomingEntries = usePlayerState((state) => state.upcoming)
  const contextTitle = usePlayerState((state) => state.contextTitle)
  const nextKind = usePlayerState((state) => state.nextKind)
  const isContextLoading = usePlayerState((state) => state.isContextLoading)
  const isQueueLoading = usePlayerState((state) => isSongPending && state.status !== 'failed')
  const [announcementText, setAnnouncement] = useState('')
  // The dialog is not part of a row, because a row can leave the queue while a person types in the dialog.
  const [addedSongs, setAddedSongs] = useState<readonly Song[]>([])
  // React renders additional rows at low priority, so that input stays responsive. A new order renders immediately.
  const shownEntryCount = useDeferredValue(Math.min(upcomingEntries.length, MAX_QUEUE_ROWS), 0)
  const shownEntries = upcomingEntries.slice(0, shownEntryCount)
  const listStyle: CSSProperties & Record<`--${string}`, number> = { '--rows': shownEntryCount + 1 }

  const moveEntry = (fromIndex: number, toIndex: number) => {
    const movedEntry = upcomingEntries[fromIndex]
    if (!movedEntry || fromIndex === toIndex || toIndex < 0 || toIndex >= upcomingEntries.length) return
    player.moveInQueue(fromIndex, toIndex)
    setAnnouncement(`${movedEntry.song.title} is now number ${toIndex + 1} of ${upcomingEntries.length}.`)
  }
  const dragHandlers = useDragToReorder(shownEntries, moveEntry)
  const clearQueue = () => {
    if (upcomingEntries.length === 0) return
    player.clearQueue()
    toast({
      text: 'The queue is empty.',
      icon: 'trash',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: player.undoClearQueue },
    })
  }

  return (
    <div className={styles.panel}>
      <div className={styles.header}>
        <div>
          {hasHeading && <h2 className={classNames(typeStyles.head, typeStyles.d1)}>Queue</h2>}
          {contextTitle !== '' && (
            <p className={styles.from}>
              From <bdi>{contextTitle}</bdi>
            </p>
          )}
        </div>
        {/* The button is never `disabled`, because it would lose the focus that it has after a press has cleared the queue. */}
        <button type="button" className={styles.clear} aria-disabled={upcomingEntries.length === 0} onClick={clearQueue}>
          Clear
        </button>
      </div>
      {!currentSong?.artwork && <EndlessSwitch className={styles.endless} />}
      <p className={typeStyles.hidden} role="status">
        {announcementText}
      </p>
      {currentSong && (
        <ol className={styles.list} style={listStyle} ref={dragHandlers.list} tabIndex={-1} aria-label="Queue">
          <CurrentSongRow song={currentSong} onAddSongs={setAddedSongs} />
          {shownEntries.map((entry, index) => (
            <QueueRow
              key={entry.key}
              entry={entry}
              index={index}
              entryCount={upcomingEntries.length}
              offsetPx={dragHandlers.computeOffsetPx(index)}
              isDragged={dragHandlers.draggedIndex === index}
              grip={dragHandlers.createGripProps(index)}
              onMove={moveEntry}
              onAddSongs={setAddedSongs}
            />
          ))}
        </ol>
      )}
      {shownEntryCount > 0 && upcomingEntries.length > MAX_QUEUE_ROWS && (
        <p className={styles.note}>And {formatPlural(upcomingEntries.length - MAX_QUEUE_ROWS, 'more song')}.</p>
      )}
      {shownEntries.length === 0 && currentSong && (isContextLoading || upcomingEntries.length > 0) && (
        <PlaceholderRows rowNumbers={PLACEHOLDER_ROW_NUMBERS.slice(1)} />
      )}
      {upcomingEntries.length === 0 && currentSong && !isContextLoading && <p className={styles.note}>{NEXT_TEXT_BY_KIND[nextKind]}</p>}
      {!currentSong &&
        (isQueueLoading ? (
          <PlaceholderRows rowNumbers={PLACEHOLDER_ROW_NUMBERS} />
        ) : (
          <p className={styles.note}>Nothing plays yet. Open any song to start.</p>
        ))}
      <AddToPlaylistDialog songs={addedSongs} open={addedSongs.length > 0} onClose={() => setAddedSongs([])} />
    </div>
  )
}

function PlaceholderRows({ rowNumbers }: { rowNumbers: readonly number[] }) {
  return (
    <div aria-hidden="true">
      {rowNumbers.map((queueRow) => (
        <div key={queueRow} className={styles.bone}>
          <Skeleton width="64px" height="36px" />
          <Skeleton width="60%" />
        </div>
      ))}
    </div>
  )
}
