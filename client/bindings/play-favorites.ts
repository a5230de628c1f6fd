import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { FavoriteList } from '../data/favorites-interface.ts'
import { songPath } from './paths.ts'
import type { Services } from './services.tsx'

/** How long a list that the site has not told this device yet is waited for. */
const WAIT_MS = 4_000

/**
 * Where the favorites of who is signed in play: from the newest on, or shuffled from any. `undefined` where there are none. A player that plays
 * them already takes them as they are now.
 */
export async function favoritesPath(
  services: Pick<Services, 'identity' | 'writes' | 'player'>,
  shuffle = false,
): Promise<string | undefined> {
  const uid = services.identity.getSnapshot()?.uid
  if (uid === undefined) return undefined
  const { favorites } = await services.writes()
  const live = favorites.list(uid)
  const entries = await new Promise<FavoriteList['entries']>((resolve) => {
    const look = () => {
      const list = live.getSnapshot()
      if (!list || (!list.complete && list.entries.length === 0)) return
      end(list.entries)
    }
    const end = (found: FavoriteList['entries']) => {
      clearTimeout(timer)
      // The first value may come before there is a way to stop.
      queueMicrotask(() => stop())
      resolve(found)
    }
    const timer = setTimeout(() => end(live.getSnapshot()?.entries ?? []), WAIT_MS)
    const stop = live.subscribe(look)
    look()
  })
  const chosen = entries[shuffle ? Math.floor(Math.random() * entries.length) : 0]
  if (!chosen) return undefined
  const { songId, contextId } = services.player.getSnapshot()
  if (songId === chosen.songId && contextId === FAVORITES_ID) services.player.open({ songId, contextId, shuffle, anew: true })
  return songPath(chosen.songId, FAVORITES_ID, { shuffle })
}
