import { FAVORITES_CONTEXT_ID } from '../../../contract/playlist-rules.ts'
import { createSongPath } from '../../hooks/paths.ts'
import type { Services } from '../../hooks/services.tsx'

/**
 * Returns the path that plays the favorites of the signed-in account, from the newest song or, with `isShuffled`, from a random song; `undefined`
 * without favorites. Rejects if the favorites were never loaded on this device and cannot be loaded now. If the player already plays that song as a favorite, the player reloads the favorites.
 */
export async function findFavoritesPath(
  services: Pick<Services, 'identity' | 'offlineMutations' | 'player'>,
  isShuffled = false,
): Promise<string | undefined> {
  const uid = services.identity.getSnapshot()?.uid
  if (uid === undefined) return undefined
  const { favorites } = await services.offlineMutations()
  const favoriteList = await favorites.waitForList(uid, ({ complete, entries }) => complete || entries.length > 0)
  const favoriteEntries = favoriteList?.entries ?? []
  const chosenEntry = favoriteEntries[isShuffled ? Math.floor(Math.random() * favoriteEntries.length) : 0]
  if (!chosenEntry) {
    if (favoriteList?.complete) return undefined
    throw new Error('the favorites are not loaded')
  }
  const { songId, contextId } = services.player.getSnapshot()
  if (songId === chosenEntry.songId && contextId === FAVORITES_CONTEXT_ID)
    services.player.open({ songId, contextId, shuffle: isShuffled, reloadContext: true })
  return createSongPath(chosenEntry.songId, FAVORITES_CONTEXT_ID, { shuffle: isShuffled })
}
