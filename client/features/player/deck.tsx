import { StagePlaceholder, usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './deck.module.css'
import { LazyPlayerMessage } from './lazy-player-message.tsx'
import { Scrubber } from './scrubber.tsx'
import { Transport } from './transport.tsx'
import { VolumeControl } from './volume.tsx'

/** The player of the song page: the video's placeholder and the transport, which is at the bottom of a phone's screen. */
export function Deck({ songId }: { songId: string }) {
  const player = usePlayer()
  const isLoadingSong = usePlayerState((state) => state.songId !== songId)
  const showsStartButton = usePlayerState((state) => !state.hasFrame && (state.status === 'paused' || state.status === 'blocked'))
  // Without a frame the message overlays the picture, so that a message after the first paint shifts no layout.
  const hasFrame = usePlayerState((state) => state.hasFrame)
  return (
    <section aria-label="Player" className={styles.deck}>
      <div className={styles.screen}>
        <Cover src={`/img/song/${songId}`} ratio="wide" width="(max-width: 820px) 88vw, 920px" alt="" priority className={styles.poster} />
        {showsStartButton && (
          // The button is hidden from keyboards and screen readers, which use the play button of the transport.
          <button type="button" className={styles.start} aria-hidden="true" tabIndex={-1} onClick={() => player.play()}>
            <span>
              <Icon name="play" size="l" />
            </span>
          </button>
        )}
        <StagePlaceholder className={styles.place} />
        {!hasFrame && <LazyPlayerMessage className={classNames(styles.message, styles.over)} />}
      </div>
      {hasFrame && <LazyPlayerMessage className={styles.message} />}
      <div className={styles.controls}>
        <Transport hasModeButtons disabled={isLoadingSong} className={styles.buttons} />
        <Scrubber hasTicks className={styles.scrubber} />
        <div className={styles.volume}>
          <VolumeControl />
        </div>
      </div>
    </section>
  )
}
