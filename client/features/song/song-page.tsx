import { type ReactNode, useEffect } from 'react'
import type { SongDetail } from '../../../contract/song.ts'
import { useSong } from '../../bindings/catalogue.ts'
import { usePageTitle } from '../../bindings/page-title.ts'
import { usePlayer } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { linkify } from '../../ui/linkify.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { SongActions } from './song-actions.tsx'
import { SongHead, SongHeadLoading } from './song-head.tsx'
import styles from './song-page.module.css'

interface SongPageProps {
  songId: string
  contextId: string | undefined
  shuffle: boolean
  /** The player as this page shows it. */
  deck: ReactNode
  queue: ReactNode
  /** Below the song: other music. */
  more: ReactNode
  notFound: ReactNode
  /** What stands there where the song could not be fetched. */
  failure: (song: ReturnType<typeof useSong>) => ReactNode
  /** The player has gone on: the page's address follows it. */
  onAdvance: (song: { songId: string; contextId: string | undefined; shuffle: boolean }) => void
}

export function SongPage({ songId, contextId, shuffle, deck, queue, more, notFound, failure, onAdvance }: SongPageProps) {
  const song = useSong(songId, contextId)
  const ready = song.data !== undefined
  useFollowedPlayer(ready, songId, contextId, shuffle, onAdvance)
  const missing = song.status === 'error' && song.error?.kind === 'api' && (song.error.code === 404 || song.error.code === 400)
  usePageTitle(song.data ? `${song.data.title} by ${song.data.author_name}` : song.status === 'error' && !missing ? 'Song' : undefined)

  if (missing) return notFound
  if (song.status === 'error') {
    return (
      <div className={classNames(typeStyles.wrap, styles.failure)}>
        <SectionHeading level={1}>Song</SectionHeading>
        {failure(song)}
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
      {more}
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

/**
 * Opens the address's song as soon as it is known to exist, and then follows the player: when it goes on to another song,
 * so does the address.
 */
function useFollowedPlayer(
  ready: boolean,
  songId: string,
  contextId: string | undefined,
  shuffle: boolean,
  onAdvance: SongPageProps['onAdvance'],
) {
  const player = usePlayer()
  useEffect(() => {
    if (!ready) return
    player.open({ songId, contextId, shuffle })
    return player.subscribe(() => {
      const state = player.getSnapshot()
      if (state.songId === undefined || state.songId === songId) return
      onAdvance({ songId: state.songId, contextId: state.contextId, shuffle: state.shuffle })
    })
  }, [ready, player, songId, contextId, shuffle, onAdvance])
}
