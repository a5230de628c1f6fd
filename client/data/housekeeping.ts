import type { CacheLimits, ProtectedCacheRows } from './eviction.ts'
import type { DeviceDatabase } from './local-database.ts'

/** The delay between the last write and the eviction of rows. It makes a burst of writes cause only one eviction. */
const EVICT_AFTER_WRITE_MS = 4_000

// Eviction is an on-demand chunk, because pages rarely need it, and never at the start.
const loadEviction = () => import('./eviction.ts')

/** Evicts rows above the limits some seconds after the last write, and frees space when a write exceeds the quota. */
export function startHousekeeping(database: DeviceDatabase, listProtectedRows: () => ProtectedCacheRows, limits?: CacheLimits): void {
  let evictionTimer: ReturnType<typeof setTimeout> | undefined
  const evictExcess = () => {
    loadEviction()
      .then(({ evictAboveLimits: evict, CACHE_LIMITS: defaultLimits }) => evict(database, limits ?? defaultLimits, listProtectedRows()))
      .catch(() => {
        // A failed eviction is ignored, because the next write starts another one.
      })
  }
  database.setFreeSpace(async (diskDatabase) => {
    const { evictHalf } = await loadEviction()
    if ((await evictHalf(diskDatabase, listProtectedRows())) === 0) throw new Error('No row can be removed.')
  })
  database.onWritten(() => {
    clearTimeout(evictionTimer)
    evictionTimer = setTimeout(evictExcess, EVICT_AFTER_WRITE_MS)
  })
}
