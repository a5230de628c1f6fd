import { SHOWN_PICTURES_CACHE } from '../../contract/caches.ts'

/** Requests persistent storage, which the browser does not evict under storage pressure. Returns whether that was granted. */
export async function requestPersistentStorage(): Promise<boolean> {
  const manager: StorageManager | undefined = navigator.storage
  return (await manager?.persist?.().catch(() => false)) ?? false
}

export const hasCacheStorage = (): boolean => 'caches' in globalThis

/** Deletes the pictures that pages have shown, except those of pinned playlists. */
export const clearShownPictures = async (): Promise<void> => {
  if (hasCacheStorage()) await caches.delete(SHOWN_PICTURES_CACHE).catch(() => false)
}
