import { useCallback, useEffect, useMemo, useState } from 'react'
import { createLiveQuery } from '../../data/live-query.ts'
import { clearHistory } from '../../data/recent-plays.ts'
import { MAKER_FOLDERS } from '../../engine/engine.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { usePinnedPlaylists } from '../../hooks/offline.ts'
import { useServices } from '../../hooks/services.tsx'
import { hasCacheStorage, requestPersistentStorage } from '../../platform/device-storage.ts'
import { canStartOffline, countCachedPictures, type DeviceSpace, readDeviceSpace, readFolderBytes, removeFolder } from './device-space.ts'

export type { DeviceSpace } from './device-space.ts'

export interface StorageState {
  space: DeviceSpace | undefined
  seenPictureCount: number
  /** The size in bytes of the songs and edits that the maker has saved on this device. */
  makerBytes: number
  hasCacheStorage: boolean
  canStartOffline: boolean
  /** Whether the history or the listening times of a year contain a song. */
  hasPlays: boolean
  /** Clears the history and the listening times of all years. Resolves with the function that restores both. */
  clearPlays(): Promise<() => Promise<void>>
  removeEdits(): Promise<unknown>
  unpinPlaylist(id: string): Promise<void>
  clearCache(): Promise<void>
  /** Requests persistent storage. Resolves with whether the browser granted the request. */
  requestPersistence(): Promise<boolean>
}

async function readMakerBytes(): Promise<number> {
  const sizes = await Promise.all(MAKER_FOLDERS.map(readFolderBytes))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** Returns the sizes of the data that this browser stores for the site. The sizes are read again after each change through this hook. */
export function useStorage(): StorageState {
  const { offlinePlaylists, clearCache, database } = useServices()
  const pinnedPlaylists = usePinnedPlaylists()
  const [storageUsage, setUsage] = useState<
    Pick<StorageState, 'seenPictureCount' | 'makerBytes' | 'hasCacheStorage' | 'canStartOffline'> & { space: DeviceSpace }
  >()
  const refreshUsage = useCallback(async () => {
    const [space, seenPictureCount, makerBytes] = await Promise.all([readDeviceSpace(), countCachedPictures(), readMakerBytes()])
    setUsage({ space, seenPictureCount, makerBytes, hasCacheStorage: hasCacheStorage(), canStartOffline: canStartOffline() })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes change with the pinned playlists.
  useEffect(() => void refreshUsage(), [refreshUsage, pinnedPlaylists])
  const playsQuery = useMemo(
    () => createLiveQuery(database, async (tables) => (await tables.recentPlays.count()) + (await tables.listening.count()) > 0),
    [database],
  )
  const hasPlays = useLiveQuery(playsQuery) ?? false
  const refreshAfter = async <T>(changePromise: Promise<T>): Promise<T> => {
    const changeResult = await changePromise
    await refreshUsage()
    return changeResult
  }
  return {
    space: storageUsage?.space,
    seenPictureCount: storageUsage?.seenPictureCount ?? 0,
    makerBytes: storageUsage?.makerBytes ?? 0,
    hasPlays,
    clearPlays: () => clearHistory(database),
    removeEdits: () => refreshAfter(Promise.all(MAKER_FOLDERS.map(removeFolder))),
    hasCacheStorage: storageUsage?.hasCacheStorage ?? true,
    canStartOffline: storageUsage?.canStartOffline ?? true,
    unpinPlaylist: (id) => refreshAfter(offlinePlaylists.unpin(id)),
    clearCache: () => refreshAfter(clearCache()),
    requestPersistence: () => refreshAfter(requestPersistentStorage()),
  }
}
