import { useEffect, useRef, useState } from 'react'
import { FAVORITES_CONTEXT_ID } from '../../../contract/playlist-rules.ts'
import { ArrangedSongs, MIN_SONGS_TO_ARRANGE, useIsArranged } from '../../components/arranged-songs.tsx'
import { PlaylistToggleButton } from '../../components/playlist-toggle-button.tsx'
import { ScrolledSongList } from '../../components/scrolled-song-list.tsx'
import { useOffline } from '../../hooks/offline.ts'
import { useOutbox } from '../../hooks/outbox.ts'
import type { Services } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { OfflineState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './favorites-section.module.css'
import { loadStoredFavorites } from './stored-favorites.ts'
import { useFavoriteList, useFavoriteSongs } from './use-favorite-list.ts'

const FavoritesTransfer = lazyWithRetry(() => import('./favorites-transfer.tsx').then((module) => module.FavoritesTransfer))

/**
 * For the route's loader: resolves once the first render can show the section, so that it replaces the account snapshot without showing a skeleton.
 * Never rejects.
 */
export const loadFavorites = (services: Services): Promise<unknown> =>
  Promise.all([loadStoredFavorites(services), FavoritesTransfer.preload().catch(() => {})])

const getFavoritesContextId = () => FAVORITES_CONTEXT_ID

export function FavoritesSection() {
  const songs = useFavoriteSongs()
  const favorites = useFavoriteList()
  const isListComplete = favorites?.complete === true
  const unavailableCount = useSettledCount(songs && isListComplete ? favorites.entries.length - songs.length : 0)
  const isListEmpty = songs?.length === 0
  const [isArranged, setArranged] = useIsArranged()
  const listProps = { getContextId: getFavoritesContextId, label: 'Favorites' }
  return (
    <section id="favorites" className={styles.section} aria-labelledby="favorites-heading">
      <SectionHeading
        id="favorites-heading"
        size="small"
        endContent={
          isListComplete &&
          favorites.entries.length > 0 && (
            <span className={styles.tools}>
              <span className={typeStyles.mono}>{formatPlural(favorites.entries.length, 'song')}</span>
              {(isArranged || favorites.entries.length >= MIN_SONGS_TO_ARRANGE) && (
                <PlaylistToggleButton
                  icon="settings"
                  label="Sort and filter"
                  pressed={isArranged}
                  onClick={() => setArranged(!isArranged)}
                />
              )}
            </span>
          )
        }
      >
        Favorites
      </SectionHeading>
      {!songs || (isListEmpty && !isListComplete) ? (
        <FavoritesLoading />
      ) : isListEmpty ? (
        favorites?.entries.length === 0 && <NoFavorites />
      ) : isArranged ? (
        <ArrangedSongs songs={songs} orderLabel="Latest first" emptyText="No songs in your favorites match.">
          {(arrangedSongs) => <ScrolledSongList songs={arrangedSongs} {...listProps} />}
        </ArrangedSongs>
      ) : (
        <ScrolledSongList songs={songs} {...listProps} />
      )}
      {unavailableCount > 0 && (
        <p className={typeStyles.muted}>
          {formatCount(unavailableCount)} of them {unavailableCount === 1 ? 'is' : 'are'} not in the catalogue, or not on this device yet.
        </p>
      )}
      {songs && isListComplete && <FavoritesTransfer />}
    </section>
  )
}

/** The song rows are loaded after the list of ids, in batches, so a difference in count is shown only after this time. */
const COUNT_DIFFERENCE_DELAY_MS = 1_000

/** Returns 0 until a `countOfFavorites` above 0 has been constant for `COUNT_DIFFERENCE_DELAY_MS`, then `countOfFavorites`. */
function useSettledCount(countOfFavorites: number): number {
  const [settledCount, setSettledCount] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setSettledCount(countOfFavorites), COUNT_DIFFERENCE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [countOfFavorites])
  return settledCount > 0 ? countOfFavorites : 0
}

/** The time in milliseconds after which an attempt to load the favorites counts as failed. */
const RESPONSE_TIMEOUT_MS = 8_000

function FavoritesLoading() {
  const isOffline = useOffline()
  const { send } = useOutbox()
  const [loadAttempt, setAttempt] = useState(0)
  const [timedOutAttempt, setTimedOutAttempt] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setTimedOutAttempt(loadAttempt), RESPONSE_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [loadAttempt])
  if (!isOffline && timedOutAttempt !== loadAttempt) return <SkeletonRows count={4} />
  return (
    <OfflineState
      title="Your favorites are not on this device yet."
      text={isOffline ? 'They will load once you are online.' : "The site isn't responding."}
      onRetry={() => {
        setAttempt(loadAttempt + 1)
        void send()
      }}
    />
  )
}

function NoFavorites() {
  const emptyMessage = useRef<HTMLDivElement>(null)
  // Focuses the message for an empty list if the last song was removed while it had the focus.
  useEffect(() => {
    if (document.activeElement === document.body) emptyMessage.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={emptyMessage} tabIndex={-1} className={styles.empty}>
      <p className={typeStyles.muted}>There are no songs in your favorites.</p>
      <Button to="/playlists">Browse playlists</Button>
    </div>
  )
}
