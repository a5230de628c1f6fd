import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useFavoriteList, useFavoriteSongs } from '../../bindings/favorite-list.ts'
import { useOffline } from '../../bindings/offline.ts'
import { useUnsent } from '../../bindings/unsent.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import { createPart } from '../../ui/part.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { AwayState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './favorites-section.module.css'

const FavoritesTransfer = createPart(() => import('./favorites-transfer.tsx').then((module) => module.FavoritesTransfer))

/** The favorites of who is signed in. `list` draws them. */
export function FavoritesSection({ list }: { list: (songs: readonly Song[]) => ReactNode }) {
  const songs = useFavoriteSongs()
  const favorites = useFavoriteList()
  const complete = favorites?.complete === true
  const away = useSettled(songs && complete ? favorites.entries.length - songs.length : 0)
  const isEmpty = songs?.length === 0
  return (
    <section id="favorites" className={styles.section} aria-labelledby="favorites-heading">
      <SectionHeading
        id="favorites-heading"
        end={
          complete &&
          favorites.entries.length > 0 && <span className={typeStyles.mono}>{formatPlural(favorites.entries.length, 'song')}</span>
        }
      >
        Favorites
      </SectionHeading>
      {!songs || (isEmpty && !complete) ? <OnTheWay /> : isEmpty ? favorites?.entries.length === 0 && <Empty /> : list(songs)}
      {away > 0 && (
        <p className={typeStyles.muted}>
          {formatCount(away)} of them {away === 1 ? 'is' : 'are'} not in the catalogue, or not on this device yet.
        </p>
      )}
      {songs && complete && <FavoritesTransfer />}
    </section>
  )
}

/** Songs follow the list a little later, thousands of them in parts. */
const SETTLED_MS = 1_000

/** `count`, shown once it has stayed above 0 for a while. */
function useSettled(count: number): number {
  const [settled, setSettled] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(count), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [count])
  return settled > 0 ? count : 0
}

/** After this long a site that has told nothing is not waited for any more. */
const PATIENCE_MS = 8_000

function OnTheWay() {
  const offline = useOffline()
  const { send } = useUnsent()
  const [late, setLate] = useState(0)
  const tries = Math.floor(late)
  useEffect(() => {
    const timer = setTimeout(() => setLate(tries + 0.5), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [tries])
  if (!offline && late === tries) return <SkeletonRows count={4} />
  return (
    <AwayState
      title="Your favorites are not on this device yet."
      text={offline ? 'They come with the next connection.' : 'The site does not answer.'}
      onRetry={() => {
        setLate(tries + 1)
        void send()
      }}
    />
  )
}

function Empty() {
  const box = useRef<HTMLDivElement>(null)
  // The last song was taken out with the focus on it.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box} tabIndex={-1} className={styles.empty}>
      <p className={typeStyles.muted}>There are no songs in your favorites.</p>
      <Key to="/playlists">Browse playlists</Key>
    </div>
  )
}
