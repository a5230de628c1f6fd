import type { LiveQuery } from '../../data/live-query.ts'
import { preloadResources } from '../../hooks/catalogue.ts'
import { loadOfflineMutations } from '../../hooks/offline-mutations.ts'
import type { Services } from '../../hooks/services.tsx'

/** The time after which the page is shown without the favorites, in milliseconds. */
const FAVORITES_READ_TIMEOUT_MS = 1_000

/** Resolves once the favorites that are on this device, and the account's data, can be rendered immediately. Never rejects. */
export async function loadStoredFavorites(services: Services): Promise<void> {
  const uid = services.identity.getSnapshot()?.uid
  if (uid === undefined) return
  const loadFavorites = async () => {
    const { favorites } = await loadOfflineMutations(services)
    await Promise.all([waitForRows(favorites.songs(uid)), preloadResources(services.accounts.info(uid))])
  }
  await Promise.race([loadFavorites().catch(() => {}), new Promise((resolve) => setTimeout(resolve, FAVORITES_READ_TIMEOUT_MS))])
}

/** Resolves when the first rows are read. */
function waitForRows(liveQuery: LiveQuery<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const checkRows = () => {
      if (liveQuery.getSnapshot() === undefined) return
      // A query may call its listener before `subscribe` returns the function that unsubscribes.
      queueMicrotask(() => unsubscribe())
      resolve()
    }
    const unsubscribe = liveQuery.subscribe(checkRows)
    checkRows()
  })
}
