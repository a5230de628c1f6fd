import type { Song, SongDetail } from '../../contract/song.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import type { Resource } from '../data/resource.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import type { QueueContext } from './queue.ts'

/** What the player asks of the catalogue. Everything rejects with an `ApiFailure`. */
export interface SongSource {
  /** From this device where it is known here, else from the server. */
  song(songId: string, contextId: string | undefined): Promise<SongDetail>
  context(contextId: string): Promise<QueueContext>
  /** The id of a random song of the context (of all songs without one), never `not`. */
  random(contextId: string | undefined, not: string): Promise<string>
  countPlay(songId: string, contextId: string | undefined): void
  reportUnplayable(songId: string, code: number): void
}

// What a queue shows and a person can reorder. Longer contexts go on by the server's "next".
const CONTEXT_LIMIT = 500

export function createSongSource({ api, catalogue }: { api: Api; catalogue: Catalogue }): SongSource {
  const ignore = () => {
    // A play or a report that did not arrive changes nothing for the person who listens.
  }
  return {
    song: (songId, contextId) => firstData(catalogue.song(songId, contextId)),
    async context(contextId) {
      const resource = catalogue.playlist(contextId)
      await resource.opened()
      const known = resource.getSnapshot().data
      if (known) return toContext(known.songs, known.playlist.song_count)
      const { playlist, songs } = await api.call('GET /playlist/get', { p: contextId, limit: CONTEXT_LIMIT })
      return toContext(songs, playlist.song_count)
    },
    random: async (contextId, not) => (await catalogue.randomSong(contextId === undefined ? { not } : { p: contextId, not })).youtube_id,
    countPlay(songId, contextId) {
      api.call('POST /song/play', contextId === undefined ? { s: songId } : { s: songId, p: contextId }).catch(ignore)
    },
    reportUnplayable(songId, code) {
      api.call('POST /song/unplayable', { s: songId, reason: `video error ${code}` }).catch(ignore)
    },
  }
}

function toContext(songs: readonly Song[], songCount: number): QueueContext {
  return { songs, complete: songs.length >= songCount }
}

/** The rows of this device where there are some, else the server's answer. */
async function firstData<T>(resource: Resource<T>): Promise<T> {
  // Watched, so that the resource stays open until its answer is here.
  const stop = resource.subscribe(() => {})
  try {
    await resource.opened()
    const refreshed = resource.refresh()
    const known = resource.getSnapshot().data
    if (known !== undefined) return known
    await refreshed
    const { data, error } = resource.getSnapshot()
    if (data !== undefined) return data
    throw error ?? new ApiFailure('network', 0, 'An error occurred while fetching data.')
  } finally {
    stop()
  }
}
