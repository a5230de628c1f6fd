import type { CSSProperties } from 'react'
import { type PlayerState, usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover, ROW_COVER_PX } from '../../ui/cover.tsx'
import { formatDuration } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { PlayingIndicator } from '../../ui/playing-indicator.tsx'
import typeStyles from '../../ui/type.module.css'
import type { GripProps } from '../../ui/use-drag-to-reorder.ts'
import styles from './queue-row.module.css'
import type { QueueMenuProps } from './queue-row-menu.tsx'

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
const QueueMenu = lazyMenu<DistributiveOmit<QueueMenuProps, 'openAtFirst'>>(() =>
  import('./queue-row-menu.tsx').then((module) => module.QueueMenu),
)

type QueueRowEntry = Pick<PlayerState['upcoming'][number], 'song' | 'queued' | 'related'>

interface CurrentSongRowProps extends Pick<QueueRowEntry, 'song'>, Pick<QueueMenuProps, 'onAddSongs'> {}

export function CurrentSongRow({ song, onAddSongs }: CurrentSongRowProps) {
  const isPlaying = usePlayerState((state) => state.status === 'playing')
  return (
    <li className={classNames(styles.row, styles.now)} aria-current="true">
      <span className={styles.meter}>
        <PlayingIndicator isPlaying={isPlaying} />
      </span>
      <SongCells song={song} />
      {!song.artwork && <QueueMenu label={`More: ${song.title}`} className={styles.more ?? ''} song={song} onAddSongs={onAddSongs} />}
    </li>
  )
}

interface QueueRowProps extends Pick<QueueMenuProps, 'onAddSongs'> {
  entry: QueueRowEntry
  index: number
  entryCount: number
  /** Vertical shift in pixels while another row is dragged past this row. */
  offsetPx: number
  isDragged: boolean
  grip: GripProps
  onMove: (from: number, to: number) => void
}

/**
 * Moves the focus from a row that is removed to the same button of a neighbouring row that can be moved, or to the list. The song page shows the first
 * rows only: a hidden row cannot have the focus.
 */
const moveFocusOnRemoval = (row: HTMLElement | null) => () => {
  if (!row?.contains(document.activeElement)) return
  const buttonIndex = [...row.querySelectorAll('button')].findIndex((button) => button.matches(':focus'))
  const neighbour = [row.nextElementSibling, row.previousElementSibling].find(
    (otherRow) => otherRow?.hasAttribute('data-drag-index') && otherRow.checkVisibility(),
  )
  const target = neighbour?.querySelectorAll('button')[buttonIndex] ?? row.parentElement
  target?.focus({ preventScroll: true })
}

export function QueueRow({ entry, index, entryCount, offsetPx, isDragged: dragged, grip, onMove, onAddSongs }: QueueRowProps) {
  const player = usePlayer()
  const { song, queued, related } = entry
  const style: CSSProperties & Record<`--${string}`, number> = { '--place': index + 1, translate: `0 ${offsetPx}px` }
  return (
    <li ref={moveFocusOnRemoval} className={classNames(styles.row, dragged && styles.dragged)} style={style} data-drag-index={index}>
      <button
        type="button"
        className={styles.grip}
        aria-label={`Move ${song.title}`}
        title="Drag, or use the arrow keys"
        data-arrows=""
        {...grip}
        onKeyDown={(event) => {
          const rowShift = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
          if (rowShift === 0) return
          event.preventDefault()
          onMove(index, index + rowShift)
        }}
      >
        <Icon name="grip" size="s" />
      </button>
      <SongCells song={song} queued={queued} related={related} onPlay={() => player.playFromQueue(index)} />
      <QueueMenu
        label={`More: ${song.title}`}
        className={styles.more ?? ''}
        index={index}
        entryCount={entryCount}
        onMove={onMove}
        onAddSongs={onAddSongs}
      />
    </li>
  )
}

function SongCells({ song, queued, related, onPlay }: Pick<QueueRowEntry, 'song'> & Partial<QueueRowEntry> & { onPlay?: () => void }) {
  return (
    <>
      {song.artwork ? (
        <img className={styles.cover} src={song.artwork[0]?.src} alt="" width={48} height={48} />
      ) : (
        <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width={ROW_COVER_PX} alt="" className={styles.cover} />
      )}
      <div className={typeStyles.lines}>
        {onPlay ? (
          <button type="button" className={styles.title} dir="auto" onClick={onPlay}>
            {song.title}
          </button>
        ) : (
          <span className={styles.title} dir="auto">
            {song.title}
          </span>
        )}
        <span className={styles.artist} dir="auto">
          {(queued || related) && (
            <span className={styles.origin} dir="ltr">
              {queued ? 'Play next' : 'Related'}
            </span>
          )}
          {song.author_name}
        </span>
      </div>
      <span className={classNames(typeStyles.mono, styles.length)}>{song.duration === undefined ? '' : formatDuration(song.duration)}</span>
    </>
  )
}
