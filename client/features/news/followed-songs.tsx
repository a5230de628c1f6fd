import { useEffect, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { LoadFailureOrStaleNotice } from '../../components/load-failure.tsx'
import { SongList } from '../../components/song-list.tsx'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { useResource } from '../../hooks/catalogue.ts'
import { describeFollowFailure, type FollowedArtist, useFollowedArtists, useFollowStore } from '../../hooks/follows.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { createArtistPath } from '../../hooks/paths.ts'
import { useServices } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { formatPlural } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import styles from './followed-songs.module.css'
import { PushButton } from './push-button.tsx'
import { useMarkSeen } from './use-mark-seen.ts'
import { storeFollowedHeight, useReservedHeight } from './use-reserved-height.ts'

const SHOWN_SONG_COUNT = 6

const readCategoryId = (song: Song) => song.category_id

/** The newest songs of the followed artists. Renders nothing if no artist is followed. */
export function FollowedSongs() {
  const followStore = useFollowStore()
  const followedArtists = useFollowedArtists()
  // The section is not removed when its last artist is unfollowed, so that the focus is not lost.
  const [hadArtists, setHadArtists] = useState(false)
  if (followedArtists && followedArtists.length > 0 && !hadArtists) setHadArtists(true)
  const isWithoutSection = followedArtists?.length === 0 && !hadArtists
  useEffect(() => {
    if (isWithoutSection) storeFollowedHeight(undefined)
  }, [isWithoutSection])
  return followStore && followedArtists && hadArtists ? (
    <FollowedSongsSection key={followStore.uid} store={followStore} artists={followedArtists} />
  ) : null
}

interface FollowedSongsSectionProps {
  store: NonNullable<ReturnType<typeof useFollowStore>>
  artists: readonly FollowedArtist[]
}

function FollowedSongsSection({ store, artists }: FollowedSongsSectionProps) {
  const resource = store.followedSongs(store.uid)
  const loadedSongs = useResource(resource)
  const [isListExpanded, setExpanded] = useState(false)
  const account = useSignedInAccount()
  const [showsArtists, setShowsArtists] = useState(false)
  const newSongCount = useMarkSeen(useServices().database, store.uid, loadedSongs.data?.unseenCount ?? 0)
  const artistNames = artists.map(({ name }) => name).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the songs are requested again when other artists are followed.
  useEffect(() => {
    void resource.refresh({ force: true })
  }, [resource, artistNames])
  const isLoading = loadedSongs.status === 'loading'
  const sectionElement = useReservedHeight(!isLoading)
  const songs = loadedSongs.data?.songs ?? []
  const shownSongs = isListExpanded ? songs : songs.slice(0, SHOWN_SONG_COUNT)
  // Nothing is rendered while loading, because the page already reserves the height of the section.
  if (isLoading) return null
  return (
    <section ref={sectionElement} className={styles.section} aria-labelledby="followed-songs">
      <SectionHeading
        id="followed-songs"
        endContent={
          <span className={styles.end}>
            {newSongCount > 0 && <span className={typeStyles.mono}>{newSongCount} new</span>}
            <button type="button" className={typeStyles.link} aria-expanded={showsArtists} onClick={() => setShowsArtists(!showsArtists)}>
              {formatPlural(artists.length, 'artist')}
            </button>
          </span>
        }
      >
        Songs of artists you follow
      </SectionHeading>
      {showsArtists && <FollowedArtists store={store} artists={artists} />}
      {account && <PushButton />}
      <LoadFailureOrStaleNotice loaded={loadedSongs} />
      {loadedSongs.data && songs.length === 0 && <p className={typeStyles.muted}>No songs yet.</p>}
      {songs.length > 0 && (
        <SongList songs={shownSongs} getContextId={readCategoryId} numbered={false} label="Songs of artists you follow" />
      )}
      {shownSongs.length < songs.length && (
        <div className={styles.more}>
          <Button onClick={() => setExpanded(true)}>Show all {songs.length}</Button>
        </div>
      )}
    </section>
  )
}

function FollowedArtists({ store, artists }: FollowedSongsSectionProps) {
  const toast = useChangeToast()
  const [list, setList] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(list)
  const showFailure = (error: unknown) => void toast({ kind: 'bad', text: describeFollowFailure(error) })
  const unfollowArtist = async (artistName: string) => {
    await store.follows.change(store.uid, artistName, false)
    const undoUnfollow = () => store.follows.change(store.uid, artistName, true)
    toast({
      text: 'No longer followed',
      subject: artistName,
      action: { label: 'Undo', onSelect: () => void undoUnfollow().catch(showFailure) },
    })
  }
  return (
    <ul ref={setList} className={styles.artists} tabIndex={-1} aria-label="Artists you follow">
      {artists.map(({ name }, index) => (
        <li key={name} data-index={index}>
          <a className={typeStyles.link} href={createArtistPath(name)} dir="auto">
            {name}
          </a>
          <Button variant="tertiary" icon="close" onClick={() => void unfollowArtist(name).catch(showFailure)}>
            Unfollow<span className={typeStyles.hidden}> {name}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
