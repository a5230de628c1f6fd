import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { PlaylistHere } from '../data/catalogue-repository.ts'
import type { Live } from '../data/live.ts'
import type { KeptRow, StoreHealth } from '../data/store.ts'
import { playlistPath } from './paths.ts'
import { useServices } from './services.tsx'

// What the server's HTML knows: nothing of this device.
const unread = () => undefined

export type { KeptRow }

const useLive = <T>(live: Live<T>): T | undefined => useSyncExternalStore(live.subscribe, live.getSnapshot, unread)

/** Whether the site cannot be reached. */
export function useOffline(): boolean {
  const { connection } = useServices()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.offline,
    () => false,
  )
}

/** Whether the device itself has no network, so that no video can come either. */
export function useUnplugged(): boolean {
  const { connection } = useServices()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.offline && !connection.silent,
    () => false,
  )
}

/** Whether the site does not answer although the device has a network. */
export function useSilent(): boolean {
  const { connection } = useServices()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.silent,
    () => false,
  )
}

export function useStoreHealth(): StoreHealth {
  const { store } = useServices()
  return useSyncExternalStore(
    useCallback((listener: () => void) => store.onHealth(listener), [store]),
    () => store.health,
    () => 'kept' as const,
  )
}

/** Why nothing that is kept now would last longer than the page; `undefined` where it would. */
export function useKeepingRefused(): Exclude<StoreHealth, 'kept' | 'restarted'> | undefined {
  const health = useStoreHealth()
  return health === 'kept' || health === 'restarted' ? undefined : health
}

/** The playlists whose songs are on this device; `undefined` until that is known. */
export const usePlaylistsHere = (): readonly PlaylistHere[] | undefined => useLive(useServices().catalogue.here)

const never = () => () => {}

/** Without a connection: the ids of the playlists that can be opened. `undefined` as long as all can. */
export function useOpenable(): ReadonlySet<string> | undefined {
  const { catalogue } = useServices()
  const offline = useOffline()
  const here = useSyncExternalStore(offline ? catalogue.here.subscribe : never, catalogue.here.getSnapshot, unread)
  return useMemo(() => (offline && here ? new Set(here.map(({ id }) => id)) : undefined), [offline, here])
}

/** Ways on without a connection: links to the playlists of this device. */
export function useOffers(most = 12): { label: string; to: string; kept: boolean }[] {
  const here = usePlaylistsHere() ?? []
  return here.slice(0, most).map(({ id, title, kept }) => ({ label: title, to: playlistPath(id), kept }))
}

/** The playlists that a person chose to keep. */
export const useKeptPlaylists = (): readonly KeptRow[] | undefined => useLive(useServices().keeper.kept)
