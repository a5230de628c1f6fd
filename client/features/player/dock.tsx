import { useLayoutEffect } from 'react'
import { useFavoriteToggle } from '../../bindings/favorite-toggle.ts'
import { songPath } from '../../bindings/paths.ts'
import { usePlayerState, useStagePlace } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dock.module.css'
import { PlayerMessage } from './player-message.tsx'
import { QueueSheetButton } from './queue-sheet.tsx'
import { Scrubber } from './scrubber.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Stage } from './stage.tsx'
import { Transport } from './transport.tsx'
import { useStranded } from './use-stranded.ts'

/** The player wherever no page shows it itself. Stands once, above all routes, and holds the one video frame. */
export function Dock() {
  const place = useStagePlace()
  const status = usePlayerState((state) => state.status)
  const known = usePlayerState((state) => state.songId !== undefined)
  const open = status === 'playing' || status === 'loading' || status === 'blocked' || status === 'unplayable'
  const form = place ? 'page' : !known ? 'none' : open ? 'playing' : 'paused'

  // What the page keeps free for the dock follows from this, in `dock.module.css`.
  useLayoutEffect(() => {
    document.documentElement.dataset.dock = form
  }, [form])

  return (
    <>
      {(form === 'playing' || form === 'paused') && <DockBar folded={form === 'paused'} />}
      <Stage docked={form === 'playing'} />
      <Shortcuts />
    </>
  )
}

function DockBar({ folded }: { folded: boolean }) {
  const song = usePlayerState((state) => state.current)
  const contextId = usePlayerState((state) => state.contextId)
  const shuffle = usePlayerState((state) => state.shuffle)
  const failing = usePlayerState((state) => state.error !== undefined || state.status === 'blocked')
  const { favorite, toggle } = useFavoriteToggle(song)
  const troubled = useStranded() || failing

  return (
    <section aria-label="Player" className={classNames(styles.dock, folded && styles.folded, troubled && styles.troubled)}>
      <div className={styles.now}>
        {song ? (
          <a className={styles.title} dir="auto" href={songPath(song.youtube_id, contextId, { shuffle })}>
            {song.title}
          </a>
        ) : (
          <span className={classNames(styles.title, typeStyles.muted)}>Loading...</span>
        )}
        {troubled ? <PlayerMessage className={styles.trouble} brief /> : <span className={styles.artist}>{song?.author_name}</span>}
      </div>
      <Transport className={styles.keys} />
      <Scrubber className={styles.scrubber} />
      <div className={styles.ends}>
        {song && (
          <IconButton
            icon={favorite ? 'heart-filled' : 'heart'}
            label="Favorite"
            look="bright"
            pressed={favorite}
            className={styles.heart ?? ''}
            onClick={toggle}
          />
        )}
        <QueueSheetButton />
      </div>
    </section>
  )
}
