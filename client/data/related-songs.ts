import type { Song } from '../../contract/song.ts'
import type { Api } from '../platform/api.ts'
import { isWithoutAnswer } from './server-failure.ts'
import type { SongIndex } from './song-index.ts'
import type { RelatedSongsQuery } from './song-text-index.ts'

interface RelatedSongsSource {
  api: Api
  songIndex: () => Promise<SongIndex>
  /** Returns whether the server is known to be unreachable. */
  offline?: () => boolean
}

/**
 * Finds the songs that are related to `song`: on the server, or on this device if the server cannot be reached, fails or refuses further requests for a
 * while. Returns `undefined` in these cases if this device has none. Rejects with an `ApiCallError`, or when `signal` is aborted.
 */
export async function findRelatedSongs(
  { api, songIndex, offline = () => false }: RelatedSongsSource,
  song: Song,
  query: RelatedSongsQuery,
  signal?: AbortSignal,
): Promise<readonly Song[] | undefined> {
  const findOnDevice = async () => {
    const songs = await (await songIndex()).related(song, query)
    return songs.length > 0 ? songs : undefined
  }
  if (offline()) return findOnDevice()
  const { limit, artistLimit, excludedIds = [] } = query
  const relatedInput = {
    s: song.youtube_id,
    limit,
    ...(artistLimit !== undefined && { artist_limit: artistLimit }),
    ...(excludedIds.length > 0 && { not: excludedIds.join() }),
  }
  try {
    return await api.call('GET /song/related', relatedInput, signal && { signal })
  } catch (error) {
    if (!isWithoutAnswer(error)) throw error
    return findOnDevice()
  }
}
