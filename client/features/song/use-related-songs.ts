import { useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import { findRelatedSongs } from '../../data/related-songs.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'

/**
 * Returns up to `songLimit` songs that are related to `song`. Until they are loaded, returns the related songs of the previous song, or
 * `undefined` if there was none. If they cannot be loaded, returns an empty list. Offline, the songs stored on this device are searched.
 */
export function useRelatedSongs(song: Song, songLimit: number): readonly Song[] | undefined {
  const { api, catalogue, connection } = useServices()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refreshed row of the same song changes nothing.
  const loadSongs = useCallback(
    async (signal: AbortSignal) => {
      const source = { api, songIndex: catalogue.songIndex, offline: () => connection.offline }
      return (await findRelatedSongs(source, song, { limit: songLimit }, signal)) ?? []
    },
    [api, catalogue, connection, song.youtube_id, songLimit],
  )
  const { data, error } = useRemoteData(loadSongs)
  return error ? [] : data
}
