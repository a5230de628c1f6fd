import { requestRandomSongPath } from '../features/catalogue/use-random-song.ts'
import { findFavoritesPath } from '../features/favorites/favorites-path.ts'
import type { Services } from '../hooks/services.tsx'

/** Returns the address to which `/go/<target>` leads; `undefined` for an unknown target. Rejects if a random song cannot be requested. */
export async function findTargetAddress(services: Services, target: string): Promise<string | undefined> {
  if (target === 'home') return '/'
  if (target === 'random') return requestRandomSongPath(services)
  if (target === 'favorites') return (await findFavoritesPath(services).catch(() => undefined)) ?? '/account#favorites'
  if (target === 'radio') return `${services.site.radio_url}/`
  return undefined
}
