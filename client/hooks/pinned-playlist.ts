import { useCallback, useSyncExternalStore } from 'react'
import { estimatePinnedPlaylistBytes } from '../data/pinned-size.ts'
import { usePinnedPlaylists } from './offline.ts'
import { useServices } from './services.tsx'

const subscribeToNothing = () => () => {}
const getNoDownload = () => undefined

export function usePinnedPlaylist(playlistId: string, playlistTitle: string, songCount: number) {
  const { offlinePlaylists } = useServices()
  const pinnedRows = usePinnedPlaylists()
  const playlistDownload = useSyncExternalStore(
    offlinePlaylists.onDownloads,
    () => offlinePlaylists.downloads().get(playlistId),
    getNoDownload,
  )
  const pixelRatio = useSyncExternalStore(
    subscribeToNothing,
    () => devicePixelRatio,
    () => 2,
  )
  const pinnedRow = pinnedRows?.find((each) => each.id === playlistId)
  return {
    /** Whether the playlist is pinned; `undefined` until the local database has been read. */
    isPinned: pinnedRows && pinnedRow !== undefined,
    /** Whether the playlist's download is complete. Only then is `bytes` exact. */
    isComplete: pinnedRow?.state === 'done' && !playlistDownload,
    /** The size of the playlist's stored rows and pictures in bytes; an estimate until the download is complete. */
    bytes: pinnedRow?.state === 'done' ? pinnedRow.rowBytes + pinnedRow.pictureBytes : estimatePinnedPlaylistBytes(songCount, pixelRatio),
    download: playlistDownload,
    pin: useCallback(() => void offlinePlaylists.pin(playlistId, playlistTitle), [offlinePlaylists, playlistId, playlistTitle]),
    unpin: useCallback(() => void offlinePlaylists.unpin(playlistId), [offlinePlaylists, playlistId]),
  }
}

export type PinnedPlaylist = ReturnType<typeof usePinnedPlaylist>
