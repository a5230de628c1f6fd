import { type ReactNode, useState } from 'react'
import { useIsHydrated } from '../../hooks/hydration.ts'
import { useDeviceOffline } from '../../hooks/offline.ts'
import { useIsOfflineAndNotPlaying, usePlayer, usePlayerState, VideoPlaceholder } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Scrubber } from './scrubber.tsx'
import styles from './song-page-player.module.css'
import { PlayerVolume, Transport } from './transport.tsx'

/**
 * The player of the song page: the placeholder of the video, and the player's controls, which are at the bottom of the screen on a phone.
 */
export function SongPagePlayer({ songId }: { songId: string }) {
  const player = usePlayer()
  const isLoadingSong = usePlayerState((state) => state.songId !== songId)
  const showsStartButton = usePlayerState((state) => !state.hasFrame && (state.status === 'paused' || state.status === 'blocked'))
  return (
    <section aria-label="Player" className={styles.deck}>
      <div className={styles.screen}>
        <Poster songId={songId} />
        {showsStartButton && (
          // The button is hidden from keyboards and screen readers, because the player's controls have a play button of their own.
          <button type="button" className={styles.start} aria-hidden="true" tabIndex={-1} onClick={() => player.play()}>
            <span>
              <Icon name="play" size="l" />
            </span>
          </button>
        )}
        <VideoPlaceholder className={styles.place} />
      </div>
      <div className={styles.controls}>
        <Transport hasModeButtons disabled={isLoadingSong} className={styles.buttons} />
        <PlayerMessageOrChildren className={classNames(styles.scrubber, styles.message)}>
          <Scrubber hasTicks className={styles.scrubber} />
        </PlayerMessageOrChildren>
        <div className={styles.volume}>
          <PlayerVolume />
        </div>
      </div>
    </section>
  )
}

const OFFLINE_POSTER_WIDTH_PX = 320

/**
 * The song's picture below the video. A song that is opened offline shows a small picture, because only the small pictures of lists are
 * cached. A song that is opened from another page shows the small picture until the large one is loaded.
 */
function Poster({ songId }: { songId: string }) {
  const isDeviceOffline = useDeviceOffline()
  const isHydrated = useIsHydrated()
  // The picture's size is chosen once for each song, so that the picture does not change while it is visible.
  const [openedPage, setOpened] = useState({ songId, isSmall: isDeviceOffline, hasPreview: isHydrated })
  if (openedPage.songId !== songId) setOpened({ songId, isSmall: isDeviceOffline, hasPreview: true })
  const { isSmall, hasPreview } = openedPage
  return (
    <Cover
      src={`/img/song/${songId}`}
      ratio="wide"
      width={isSmall ? OFFLINE_POSTER_WIDTH_PX : '(max-width: 820px) 88vw, 920px'}
      alt=""
      priority
      hasPreview={hasPreview && !isSmall}
      className={classNames(styles.poster, isSmall && styles.small)}
    />
  )
}

// The message is in the chunk of the dock, which is loaded when the page is idle, because without a connection no chunk can be loaded. While
// the chunk is loading, an empty element takes the space of the message.
const PlayerMessage = lazyWithRetry(() => import('./dock-bar.tsx').then((module) => module.PlayerMessage), {
  fallback: ({ className }) => <div className={className} />,
})

/**
 * Renders `children`, or, if the player cannot play, a message that explains why. The message takes the space of `children`, so that the
 * layout does not shift.
 */
function PlayerMessageOrChildren({ className, children }: { className: string; children: ReactNode }) {
  const isOffline = useIsOfflineAndNotPlaying()
  const hasReason = usePlayerState((state) => state.error !== undefined || state.status === 'blocked')
  return isOffline || hasReason ? <PlayerMessage className={className} /> : children
}
