import { useCallback, useSyncExternalStore } from 'react'
import type { Song } from '../../contract/song.ts'
import type { FavoriteList } from '../data/favorites-interface.ts'
import type { Live } from '../data/live.ts'
import { usePerson } from './identity.ts'
import { useServices } from './services.tsx'
import { useWrites } from './writes.ts'

export type { FavoriteEntry, FavoriteList } from '../data/favorites-interface.ts'

const never = () => () => {}
const unread = () => undefined

function useLive<T>(live: Live<T> | undefined): T | undefined {
  return useSyncExternalStore(live?.subscribe ?? never, live?.getSnapshot ?? unread, unread)
}

/** The favorites of who is signed in; `undefined` as long as they are not known. */
export function useFavoriteList(): FavoriteList | undefined {
  const uid = usePerson()?.uid
  const writes = useWrites()
  return useLive(uid === undefined ? undefined : writes?.favorites.list(uid))
}

/** Their songs, newest first. */
export function useFavoriteSongs(): readonly Song[] | undefined {
  const uid = usePerson()?.uid
  const writes = useWrites()
  return useLive(uid === undefined ? undefined : writes?.favorites.songs(uid))
}

/**
 * Whether a song is a favorite of who has just logged in: asked of the site, where this device does not know all. `undefined` where they are
 * gone by then. Never rejects.
 */
export function useReadFavorite(): (songId: string) => Promise<boolean | undefined> {
  const { identity, writes } = useServices()
  return useCallback(
    async (songId) => {
      const uid = identity.getSnapshot()?.uid
      if (uid === undefined) return undefined
      const list = await writes().then(
        ({ favorites }) => favorites.listWhen(uid, ({ complete }) => complete),
        () => undefined,
      )
      return identity.getSnapshot()?.uid === uid ? list?.has(songId) === true : undefined
    },
    [identity, writes],
  )
}
