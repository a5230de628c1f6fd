import { useMemo } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import { createLiveQuery } from '../../data/live-query.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useServices } from '../../hooks/services.tsx'

/** Returns a playlist without its songs if a list of playlists has stored it; `undefined` until it is read. */
export function useStoredPlaylist(playlistId = ''): Playlist | undefined {
  const { database } = useServices()
  return useLiveQuery(useMemo(() => createLiveQuery(database, (tables) => tables.playlists.get(playlistId)), [database, playlistId]))
}
