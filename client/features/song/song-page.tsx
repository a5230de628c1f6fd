import { type ReactNode, useEffect, useState } from 'react'
import { formatSongHeading } from '../../../contract/page-titles.ts'
import { pages } from '../../../contract/pages.ts'
import type { Song } from '../../../contract/song.ts'
import { AddToPlaylistDialog } from '../../components/add-to-playlist.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { MissingContentPage } from '../../components/not-found.tsx'
import { useSong } from '../../hooks/catalogue.ts'
import { usePageTitle } from '../../hooks/page-title.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { useServices } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { NearViewport } from '../../ui/near-viewport.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { ExploreMore } from './explore-more.tsx'
import { SongActions, SongActionsPlaceholder, SongHead, SongHeadPlaceholder } from './song-head.tsx'
import styles from './song-page.module.css'
import { useListedSong } from './use-listed-song.ts'

interface SongPageProps {
  songId: string
  contextId: string | undefined
  shuffle: boolean
  /** The player's controls with a placeholder over which the video is placed. */
  playerDeck: ReactNode
  queue: ReactNode
  /** Called when the player advances to another song, so that the caller can change the page's URL. */
  onAdvance: (song: { songId: string; contextId: string | undefined; shuffle: boolean }) => void
}

// The page is complete without the related songs, which are on-demand chunks.
const RelatedSongs = lazyWithRetry(() => import('./related-songs.tsx').then((module) => module.RelatedSongs), {
  renderError: () => null,
})

export function SongPage({ songId, contextId, shuffle, playerDeck: deck, queue, onAdvance }: SongPageProps) {
  const song = useSong(songId, contextId)
  const isSongReady = song.data !== undefined
  // If the song was opened from a row, or the player has advanced to it, its title and artist are known before the details of the song are
  // loaded.
  const listedSong = useListedSong(isSongReady ? undefined : songId)
  const currentSong = usePlayerState((state) => state.current)
  const songRow = song.data ?? (currentSong?.youtube_id === songId ? currentSong : listedSong)
  // The dialog is part of neither the actions nor the song, because the player can advance to another song, which may fail to load, while a person
  // types in the dialog.
  const [addedSongs, setAddedSongs] = useState<readonly Song[]>([])
  useSyncPageWithPlayer(isSongReady, songId, contextId, shuffle, onAdvance)
  const hasSongFailed = song.status === 'error'
  const isSongMissing = hasSongFailed && song.error?.kind === 'api' && (song.error.code === 404 || song.error.code === 400)
  usePageTitle(hasSongFailed ? (isSongMissing ? undefined : pages['/song'].heading) : songRow && formatSongHeading(songRow))

  return (
    <>
      {isSongMissing ? (
        <MissingContentPage kind="song" />
      ) : hasSongFailed ? (
        <div className={classNames(typeStyles.wrap, styles.failure)}>
          <SectionHeading level={1}>Song</SectionHeading>
          {song.error && <LoadFailure error={song.error} onRetry={song.retry} />}
        </div>
      ) : (
        <>
          <div className={classNames(typeStyles.wrap, styles.page)}>
            <div className={styles.main}>
              {deck}
              {songRow ? <SongHead song={songRow} /> : <SongHeadPlaceholder />}
              {song.data ? <SongActions song={song.data} contextId={contextId} onAddSongs={setAddedSongs} /> : <SongActionsPlaceholder />}
            </div>
            <aside className={styles.side} aria-label="Queue">
              {queue}
            </aside>
            {/* On narrow screens the description is below the queue, so that the next song's description does not move the queue. */}
            {song.data?.description && (
              <p className={styles.description}>
                <LinkedText text={song.data.description} />
              </p>
            )}
          </div>
          {song.data && (
            <NearViewport className={classNames(typeStyles.wrap, styles.related)}>
              <RelatedSongs song={song.data} />
            </NearViewport>
          )}
          <ExploreMore />
        </>
      )}
      <AddToPlaylistDialog songs={addedSongs} open={addedSongs.length > 0} onClose={() => setAddedSongs([])} />
    </>
  )
}

/**
 * Opens the song of the page's URL in the player, once the song is known to exist. When the player advances to another song, the URL
 * changes to that song.
 */
function useSyncPageWithPlayer(
  isReady: boolean,
  songId: string,
  songContextId: string | undefined,
  isShuffled: boolean,
  onAdvance: SongPageProps['onAdvance'],
) {
  const player = usePlayer()
  const { catalogue } = useServices()
  useEffect(() => {
    if (!isReady) return
    const notedSong = catalogue.notedSong(songId)
    player.open({ songId, contextId: songContextId, listIndex: notedSong?.listIndex, shuffle: isShuffled })
    // The index counts once: the player can later advance to another row of the song.
    if (notedSong) catalogue.noteSong({ ...notedSong, listIndex: undefined })
    return player.subscribe(() => {
      const state = player.getSnapshot()
      if (state.songId === undefined || (state.songId === songId && state.contextId === songContextId)) return
      onAdvance({ songId: state.songId, contextId: state.contextId, shuffle: state.shuffle })
    })
  }, [isReady, catalogue, player, songId, songContextId, isShuffled, onAdvance])
}
