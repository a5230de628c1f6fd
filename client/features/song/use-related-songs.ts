import { useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import { findRelatedSongs } from '../../data/related-songs.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'

/**
 * Returns up to `limit` songs that are related to `song`. Until they are loaded, returns the related songs of the previous song, or
 * `undefined` if there was none. If they cannot be loaded, returns an empty list. Offline, the songs stored on this device are searched.
 */
export function useRelatedSongs(song: Song, limit: number): readonly Song[] | undefined {
  const { api, catalogue, connection } = useServices()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refreshed row of the same song changes nothing.
  const load = useCallback(
    async (signal: AbortSignal) => {
      const source = { api, songIndex: catalogue.songIndex, offline: () => connection.offline }
      return (await findRelatedSongs(source, song, { limit }, signal)) ?? []
    },
    [api, catalogue, connection, song.youtube_id, limit],
  )
  const { data, error } = useRemoteData(load)
  return error ? [] : data
}
