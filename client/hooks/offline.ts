import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { LocalPlaylist } from '../data/catalogue-repository.ts'
import type { DatabaseHealth, PinnedPlaylistRow } from '../data/local-database.ts'
import { hasCacheStorage } from '../platform/device-storage.ts'
import { useLiveQuery } from './live-query.ts'
import { createPlaylistPath } from './paths.ts'
import { useServices } from './services.tsx'

export type { PinnedPlaylistRow }

/** Returns whether the server is unreachable. The cause can be the server or the device's network. */
export function useOffline(): boolean {
  const { connection } = useServices()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.offline,
    () => false,
  )
}

/** Whether the device has no network, so that YouTube is unreachable as well. */
export function useDeviceOffline(): boolean {
  const { connection } = useServices()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.offline && !connection.serverUnreachable,
    () => false,
  )
}

/** Whether the server does not respond although the device has a network. */
export function useServerUnreachable(): boolean {
  const { connection } = useServices()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.serverUnreachable,
    () => false,
  )
}

export function useDatabaseHealth(): DatabaseHealth {
  const { database } = useServices()
  return useSyncExternalStore(
    useCallback((listener: () => void) => database.onHealth(listener), [database]),
    () => database.health,
    () => 'persistent' as const,
  )
}

/** Whether rows are stored on the disk. With another health they are kept in memory, until the page is closed. */
export const isOnDisk = (health: DatabaseHealth): health is 'persistent' | 'restarted' => health === 'persistent' || health === 'restarted'

/** Returns whether the browser provides no cache for pictures, as on a site that is opened by plain http. */
const useIsCacheStorageMissing = (): boolean =>
  useSyncExternalStore(
    () => () => {},
    () => !hasCacheStorage(),
    () => false,
  )

export type PinningBlockReason = Exclude<DatabaseHealth, 'persistent' | 'restarted'> | 'insecure'

/** Returns why pinned playlists would be lost when the page is closed; `undefined` if they can be stored. */
export function usePinningBlockReason(): PinningBlockReason | undefined {
  const databaseHealth = useDatabaseHealth()
  const isInsecure = useIsCacheStorageMissing()
  if (!isOnDisk(databaseHealth)) return databaseHealth
  return isInsecure ? 'insecure' : undefined
}

/** Returns the playlists whose songs are stored on this device; `undefined` until the database is read. */
export const useLocalPlaylists = (): readonly LocalPlaylist[] | undefined => useLiveQuery(useServices().catalogue.localPlaylists)

/** Returns the ids of the playlists that can be opened offline; `undefined` while online. */
export function useOfflinePlaylistIds(): ReadonlySet<string> | undefined {
  const { catalogue } = useServices()
  const isOffline = useOffline()
  const localPlaylists = useLiveQuery(isOffline ? catalogue.localPlaylists : undefined)
  return useMemo(() => (isOffline && localPlaylists ? new Set(localPlaylists.map(({ id }) => id)) : undefined), [isOffline, localPlaylists])
}

/** Returns links to the playlists that can be opened offline, `maxCount` at most. */
export function useOfflinePlaylistLinks(maxCount = 12): { label: string; to: string; pinned: boolean }[] {
  const localPlaylists = useLocalPlaylists() ?? []
  return localPlaylists.slice(0, maxCount).map(({ id, title, pinned }) => ({ label: title, to: createPlaylistPath(id), pinned }))
}

/** Returns the pinned playlists; `undefined` until the database is read. */
export const usePinnedPlaylists = (): readonly PinnedPlaylistRow[] | undefined => useLiveQuery(useServices().offlinePlaylists.pinned)
