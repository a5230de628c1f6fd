import { useCallback, useSyncExternalStore } from 'react'
import type { Keeping } from '../data/keeper-interface.ts'
import { estimateKeptBytes } from '../data/kept-size.ts'
import { useKeptPlaylists } from './offline.ts'
import { useServices } from './services.tsx'

const never = () => () => {}
const unread = () => undefined

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
