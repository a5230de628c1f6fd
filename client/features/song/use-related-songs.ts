import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useServices } from '../../hooks/services.tsx'
import { createFindRelatedSongs } from './find-related-songs.ts'

/**
 * Returns up to `limit` songs that are related to `song`: until they are loaded `undefined`, or those of the song before; none if they cannot be
 * loaded. Offline, they come from this device.
 */
export function useRelatedSongs(song: Song, limit: number): readonly Song[] | undefined {
  const { api, catalogue, connection, database } = useServices()
  const [songs, setSongs] = useState<readonly Song[]>()
  const findRelatedSongs = useMemo(
    () => createFindRelatedSongs({ api, database, songIndex: catalogue.songIndex, offline: () => connection.offline }),
    [api, database, catalogue, connection],
  )
  const findRelated = useEffectEvent((signal: AbortSignal) => findRelatedSongs(song, limit, signal))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refreshed row of the same song changes nothing.
  useEffect(() => {
    const call = new AbortController()
    findRelated(call.signal)
      .catch(() => [])
      .then((found) => {
        if (!call.signal.aborted) setSongs(found)
      })
    return () => call.abort()
  }, [findRelatedSongs, song.youtube_id, limit])
  return songs
}
