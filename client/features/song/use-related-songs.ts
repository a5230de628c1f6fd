import { useCallback, useMemo } from 'react'
import type { Song } from '../../../contract/song.ts'
import type { LocalDatabase } from '../../data/local-database.ts'
import type { SongIndex } from '../../data/song-index.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { type Api, ApiCallError } from '../../platform/api.ts'

interface RelatedSongsDeps {
  api: Api
  database: LocalDatabase
  songIndex: () => Promise<SongIndex>
  /** Whether the server is known to be unreachable. */
  offline: () => boolean
}

/** Finds up to `limit` songs that are related to `song`: on the server, or on this device if the server cannot be reached. Rejects when aborted. */
type FindRelatedSongs = (song: Song, limit: number, signal: AbortSignal) => Promise<readonly Song[]>

function createFindRelatedSongs({ api, database, songIndex, offline }: RelatedSongsDeps): FindRelatedSongs {
  async function findOnDevice(song: Song, limit: number): Promise<readonly Song[]> {
    const ids = await (await songIndex()).related(song, limit)
    return (await database.read((tables) => tables.songs.getMany(ids))).filter((row) => row !== undefined)
  }

  return async (song, limit, signal) => {
    if (offline()) return findOnDevice(song, limit)
    try {
      return await api.call('GET /song/related', { s: song.youtube_id, limit }, { signal })
    } catch (error) {
      if (!(error instanceof ApiCallError) || error.kind !== 'network') throw error
      return findOnDevice(song, limit)
    }
  }
}

/**
 * Returns up to `limit` songs that are related to `song`. Until they are loaded, returns the related songs of the previous song, or
 * `undefined` if there was none. If they cannot be loaded, returns an empty list. Offline, the songs stored on this device are searched.
 */
export function useRelatedSongs(song: Song, limit: number): readonly Song[] | undefined {
  const { api, catalogue, connection, database } = useServices()
  const findRelatedSongs = useMemo(
    () => createFindRelatedSongs({ api, database, songIndex: catalogue.songIndex, offline: () => connection.offline }),
    [api, database, catalogue, connection],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refreshed row of the same song changes nothing.
  const load = useCallback((signal: AbortSignal) => findRelatedSongs(song, limit, signal), [findRelatedSongs, song.youtube_id, limit])
  const { data, error } = useRemoteData(load)
  return error ? [] : data
}
