import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { PlaylistHere } from '../data/catalogue-repository.ts'
import type { Keeping } from '../data/keeper-interface.ts'
import { estimateKeptBytes } from '../data/kept-size.ts'
import type { Live } from '../data/live.ts'
import type { KeptRow, StoreHealth } from '../data/store.ts'
import { KEPT_SONG_FOLDER } from '../engine/engine.ts'
import {
  askToPersist,
  canKeepPictures,
  canStartOffline,
  countSeenPictures,
  type DeviceSpace,
  readFolderBytes,
  readSpace,
  removeFolder,
} from '../platform/device-storage.ts'
import { playlistPath } from './paths.ts'
import { useServices } from './services.tsx'

// What the server's HTML knows: nothing of this device.
const unread = () => undefined

export type { DeviceSpace, KeptRow }

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

export interface KeepState {
  /** `undefined` until it is known. */
  kept: boolean | undefined
  /** All of it is here, and `bytes` is what it takes. */
  complete: boolean
  /** Bytes: what it takes, or, as long as it is not kept, will take about. */
  bytes: number
  keeping: Keeping | undefined
  keep(): void
  remove(): void
}

export function useKeep(id: string, title: string, songCount: number): KeepState {
  const { keeper } = useServices()
  const rows = useKeptPlaylists()
  const keeping = useSyncExternalStore(keeper.onProgress, () => keeper.progress().get(id), unread)
  const pixelRatio = useSyncExternalStore(
    never,
    () => devicePixelRatio,
    () => 2,
  )
  const row = rows?.find((each) => each.id === id)
  return {
    kept: rows && row !== undefined,
    complete: row?.state === 'done' && !keeping,
    bytes: row?.state === 'done' ? row.rowBytes + row.pictureBytes : estimateKeptBytes(songCount, pixelRatio),
    keeping,
    keep: useCallback(() => void keeper.keep(id, title), [keeper, id, title]),
    remove: useCallback(() => void keeper.remove(id), [keeper, id]),
  }
}

export interface StorageState {
  space: DeviceSpace | undefined
  seenPictures: number
  /** Of the song in the maker. */
  makerBytes: number
  canKeepPictures: boolean
  canStartOffline: boolean
  removeSong(): Promise<void>
  remove(id: string): Promise<void>
  clear(): Promise<void>
  /** Gives whether the browser agreed. */
  persist(): Promise<boolean>
}

/** What this browser stores for the site; read again after each change that is made here. */
export function useStorage(): StorageState {
  const { keeper, clearSeen } = useServices()
  const kept = useKeptPlaylists()
  const [read, setRead] = useState<
    Pick<StorageState, 'seenPictures' | 'makerBytes' | 'canKeepPictures' | 'canStartOffline'> & { space: DeviceSpace }
  >()
  const refresh = useCallback(async () => {
    const [space, seenPictures, makerBytes] = await Promise.all([readSpace(), countSeenPictures(), readFolderBytes(KEPT_SONG_FOLDER)])
    setRead({ space, seenPictures, makerBytes, canKeepPictures: canKeepPictures(), canStartOffline: canStartOffline() })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept has changed, in this tab or another.
  useEffect(() => void refresh(), [refresh, kept])
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    await refresh()
    return result
  }
  return {
    space: read?.space,
    seenPictures: read?.seenPictures ?? 0,
    makerBytes: read?.makerBytes ?? 0,
    removeSong: () => after(removeFolder(KEPT_SONG_FOLDER)),
    canKeepPictures: read?.canKeepPictures ?? true,
    canStartOffline: read?.canStartOffline ?? true,
    remove: (id) => after(keeper.remove(id)),
    clear: () => after(clearSeen()),
    persist: () => after(askToPersist()),
  }
}
