import { StagePlaceholder, usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './deck.module.css'
import { PlayerMessage } from './player-message.tsx'
import { Scrubber } from './scrubber.tsx'
import { Transport } from './transport.tsx'
import { Volume } from './volume.tsx'

/** The player as a page shows it: the video's place and the transport, which a phone keeps at the thumb. */
export function Deck({ songId }: { songId: string }) {
  const player = usePlayer()
  const awaited = usePlayerState((state) => state.songId !== songId)
  const waits = usePlayerState((state) => !state.hasFrame && (state.status === 'paused' || state.status === 'blocked'))
  // Over the picture as long as no video stands there: what comes after the page has been painted moves nothing.
  const hasFrame = usePlayerState((state) => state.hasFrame)
  return (
    <section aria-label="Player" className={styles.deck}>
      <div className={styles.screen}>
        <Cover src={`/img/song/${songId}`} ratio="wide" width="(max-width: 820px) 88vw, 920px" alt="" priority className={styles.poster} />
        {waits && (
          // The transport's key is the one for keyboards and screen readers.
          <button type="button" className={styles.start} aria-hidden="true" tabIndex={-1} onClick={() => player.play()}>
            <span>
              <Icon name="play" size="l" />
            </span>
          </button>
        )}
        <StagePlaceholder className={styles.place} />
        {!hasFrame && <PlayerMessage className={classNames(styles.message, styles.over)} />}
      </div>
      {hasFrame && <PlayerMessage className={styles.message} />}
      <div className={styles.controls}>
        <Transport modes awaited={awaited} className={styles.keys} />
        <Scrubber ticks className={styles.scrubber} />
        <div className={styles.volume}>
          <Volume />
        </div>
      </div>
    </section>
  )
}
