import { SHOWN_PICTURES_CACHE } from '../../contract/caches.ts'
import { clearCache as clearCachedRows, type ProtectedCacheRows } from '../data/eviction.ts'
import type { DeviceDatabase } from '../data/local-database.ts'
import { hasCacheStorage } from '../platform/device-storage.ts'

/**
 * Deletes the pictures that pages have shown, and the rows that are neither `protectedRows` nor pinned. If the disk was full, the rows in memory are
 * written to it then.
 */
export async function clearCache(database: DeviceDatabase, protectedRows: ProtectedCacheRows): Promise<void> {
  if (hasCacheStorage()) await caches.delete(SHOWN_PICTURES_CACHE).catch(() => false)
  await clearCachedRows(database, protectedRows)
  await database.recover()
}
