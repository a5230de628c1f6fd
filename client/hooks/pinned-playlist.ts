import { useCallback, useSyncExternalStore } from 'react'
import { estimatePinnedPlaylistBytes } from '../data/pinned-size.ts'
import { usePinnedPlaylists } from './offline.ts'
import { useServices } from './services.tsx'

const subscribeToNothing = () => () => {}
const noDownload = () => undefined

export function usePinnedPlaylist(id: string, title: string, songCount: number) {
  const { offlinePlaylists } = useServices()
  const rows = usePinnedPlaylists()
  const download = useSyncExternalStore(offlinePlaylists.onDownloads, () => offlinePlaylists.downloads().get(id), noDownload)
  const pixelRatio = useSyncExternalStore(
    subscribeToNothing,
    () => devicePixelRatio,
    () => 2,
  )
  const row = rows?.find((each) => each.id === id)
  return {
    /** Whether the playlist is pinned; `undefined` until the local database has been read. */
    isPinned: rows && row !== undefined,
    /** Whether the playlist's download is complete. Only then is `bytes` exact. */
    isComplete: row?.state === 'done' && !download,
    /** The size of the playlist's stored rows and pictures in bytes; an estimate until the download is complete. */
    bytes: row?.state === 'done' ? row.rowBytes + row.pictureBytes : estimatePinnedPlaylistBytes(songCount, pixelRatio),
    download,
    pin: useCallback(() => void offlinePlaylists.pin(id, title), [offlinePlaylists, id, title]),
    unpin: useCallback(() => void offlinePlaylists.unpin(id), [offlinePlaylists, id]),
  }
}

export type PinnedPlaylist = ReturnType<typeof usePinnedPlaylist>
