/** Requests persistent storage, which the browser does not evict under storage pressure. Returns whether that was granted. */
export async function requestPersistentStorage(): Promise<boolean> {
  const manager: StorageManager | undefined = navigator.storage
  return (await manager?.persist?.().catch(() => false)) ?? false
}

export const hasCacheStorage = (): boolean => 'caches' in globalThis
