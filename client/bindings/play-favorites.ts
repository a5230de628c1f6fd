import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import { songPath } from './paths.ts'
import type { Services } from './services.tsx'

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
  const list = await favorites.listWhen(uid, ({ complete, entries }) => complete || entries.length > 0)
  const entries = list?.entries ?? []
  const chosen = entries[shuffle ? Math.floor(Math.random() * entries.length) : 0]
  if (!chosen) return undefined
  const { songId, contextId } = services.player.getSnapshot()
  if (songId === chosen.songId && contextId === FAVORITES_ID) services.player.open({ songId, contextId, shuffle, anew: true })
  return songPath(chosen.songId, FAVORITES_ID, { shuffle })
}
