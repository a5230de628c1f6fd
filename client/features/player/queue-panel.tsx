import { useDeferredValue, useState } from 'react'
import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatPlural } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './queue-panel.module.css'
import { CurrentRow, QueueRow } from './queue-row.tsx'
import { useDragOrder } from './use-drag-order.ts'

// More than anyone reorders by hand; the rest of a long context is counted, not shown.
const MOST_ROWS = 100
const PENDING_ROWS = [1, 2, 3, 4]

interface QueuePanelProps {
  /** Where nothing around it says 'Queue'. */
  titled?: boolean
  /** A song is about to be opened: an empty queue is only not there yet. */
  pending?: boolean
}

/** The current song and what follows, in an order that people can change. */
export function QueuePanel({ titled = true, pending = false }: QueuePanelProps) {
  const player = usePlayer()
  const current = usePlayerState((state) => state.current)
  const upcoming = usePlayerState((state) => state.upcoming)
  const contextTitle = usePlayerState((state) => state.contextTitle)
  const shuffle = usePlayerState((state) => state.shuffle)
  const canNext = usePlayerState((state) => state.canNext)
  const waits = usePlayerState((state) => pending && state.status !== 'failed')
  const [said, setSaid] = useState('')
  // More rows come bit by bit, while the page answers to a person; a new order shows at once.
  const count = useDeferredValue(Math.min(upcoming.length, MOST_ROWS), 0)
  const shown = upcoming.slice(0, count)

  const move = (from: number, to: number) => {
    const entry = upcoming[from]
    if (!entry || from === to || to < 0 || to >= upcoming.length) return
    player.moveInQueue(from, to)
    setSaid(`${entry.song.title} is now number ${to + 1} of ${upcoming.length}.`)
  }
  const drag = useDragOrder(shown.length, move)
  const clear = () => {
    player.clearQueue()
    setSaid('The queue is empty.')
  }

  return (
    <div className={styles.panel}>
      <div className={styles.header}>
        <div>
          {titled && <h2 className={classNames(typeStyles.head, typeStyles.d1)}>Queue</h2>}
          {contextTitle !== '' && <p className={styles.from}>From {contextTitle}</p>}
        </div>
        <button type="button" className={styles.clear} disabled={upcoming.length === 0} onClick={clear}>
          Clear
        </button>
      </div>
      <p className={typeStyles.hidden} role="status">
        {said}
      </p>
      {current && (
        <ol className={styles.list} ref={drag.list} aria-label="Queue">
          <CurrentRow song={current} />
          {shown.map((entry, index) => (
            <QueueRow
              key={entry.key}
              entry={entry}
              index={index}
              count={upcoming.length}
              offset={drag.offsetOf(index)}
              dragged={drag.from === index}
              grip={drag.gripProps(index)}
              onMove={move}
            />
          ))}
        </ol>
      )}
      {upcoming.length > MOST_ROWS && <p className={styles.note}>And {formatPlural(upcoming.length - MOST_ROWS, 'more song')}.</p>}
      {shuffle && <p className={styles.note}>Shuffle is on: {upcoming.length > 0 ? 'after these, ' : ''}each next song is a random one.</p>}
      {!shuffle && upcoming.length === 0 && current && (
        <p className={styles.note}>
          {canNext ? 'After this song it starts again from the first.' : 'Nothing follows. Add songs from any list with “Play next”.'}
        </p>
      )}
      {!current &&
        (waits ? (
          <div aria-hidden="true">
            {PENDING_ROWS.map((row) => (
              <div key={row} className={styles.bone}>
                <Skeleton width="64px" height="36px" />
                <Skeleton width="60%" />
              </div>
            ))}
          </div>
        ) : (
          <p className={styles.note}>Nothing plays yet. Open any song to start.</p>
        ))}
    </div>
  )
}
