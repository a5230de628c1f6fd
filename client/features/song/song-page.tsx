import { type ReactNode, useEffect } from 'react'
import { songHeading } from '../../../contract/page-titles.ts'
import { pages } from '../../../contract/pages.ts'
import type { SongDetail } from '../../../contract/song.ts'
import { useSong } from '../../hooks/catalogue.ts'
import { usePageTitle } from '../../hooks/page-title.ts'
import { usePlayer } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { linkify } from '../../ui/linkify.tsx'
import { NearViewport } from '../../ui/near-viewport.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { SongActions } from './song-actions.tsx'
import { SongHead, SongHeadLoading } from './song-head.tsx'
import styles from './song-page.module.css'

interface SongPageProps {
  songId: string
  contextId: string | undefined
  shuffle: boolean
  /** The player with the placeholder of the video. */
  deck: ReactNode
  queue: ReactNode
  /** Renders the songs that are related to the song, below it. */
  renderRelated: (song: SongDetail) => ReactNode
  /** The other playlists that are shown below the song. */
  otherPlaylists: ReactNode
  notFound: ReactNode
  /** The element that is rendered if the song could not be loaded. */
  renderFailure: (song: ReturnType<typeof useSong>) => ReactNode
  /** Called when the player advances to another song, so that the address can follow. */
  onAdvance: (song: { songId: string; contextId: string | undefined; shuffle: boolean }) => void
}

export function SongPage({
  songId,
  contextId,
  shuffle,
  deck,
  queue,
  renderRelated,
  otherPlaylists,
  notFound,
  renderFailure,
  onAdvance,
}: SongPageProps) {
  const song = useSong(songId, contextId)
  const isReady = song.data !== undefined
  useFollowedPlayer(isReady, songId, contextId, shuffle, onAdvance)
  const isMissing = song.status === 'error' && song.error?.kind === 'api' && (song.error.code === 404 || song.error.code === 400)
  usePageTitle(song.data ? songHeading(song.data) : song.status === 'error' && !isMissing ? pages['/song'].heading : undefined)

  if (isMissing) return notFound
  if (song.status === 'error') {
    return (
      <div className={classNames(typeStyles.wrap, styles.failure)}>
        <SectionHeading level={1}>Song</SectionHeading>
        {renderFailure(song)}
      </div>
    )
  }
  return (
    <>
      <div className={classNames(typeStyles.wrap, styles.page)}>
        <div className={styles.main}>
          {deck}
          {song.data ? <SongWords song={song.data} contextId={contextId} /> : <SongHeadLoading />}
        </div>
        <aside className={styles.side} aria-label="Queue">
          {queue}
        </aside>
      </div>
      {song.data && <NearViewport className={classNames(typeStyles.wrap, styles.related)}>{renderRelated(song.data)}</NearViewport>}
      {otherPlaylists}
    </>
  )
}

function SongWords({ song, contextId }: { song: SongDetail; contextId: string | undefined }) {
  return (
    <>
      <SongHead song={song} />
      <SongActions song={song} contextId={contextId} />
      {song.description !== '' && <p className={styles.description}>{linkify(song.description)}</p>}
    </>
  )
}

/** Opens the address's song once the song is known to exist. When the player advances to another song, the address follows. */
function useFollowedPlayer(
  isReady: boolean,
  songId: string,
  contextId: string | undefined,
  shuffle: boolean,
  onAdvance: SongPageProps['onAdvance'],
) {
  const player = usePlayer()
  useEffect(() => {
    if (!isReady) return
    player.open({ songId, contextId, shuffle })
    return player.subscribe(() => {
      const state = player.getSnapshot()
      if (state.songId === undefined || state.songId === songId) return
      onAdvance({ songId: state.songId, contextId: state.contextId, shuffle: state.shuffle })
    })
  }, [isReady, player, songId, contextId, shuffle, onAdvance])
}
