import { useCallback, useEffect, useState } from 'react'
import { KEPT_SONG_FOLDER } from '../engine/engine.ts'
import { canStartOffline, countSeenPictures, type DeviceSpace, readFolderBytes, readSpace, removeFolder } from '../platform/device-space.ts'
import { askToPersist, canKeepPictures } from '../platform/device-storage.ts'
import { useKeptPlaylists } from './offline.ts'
import { useServices } from './services.tsx'

export type { DeviceSpace } from '../platform/device-space.ts'

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
