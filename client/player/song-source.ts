import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import type { Resource } from '../data/resource.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import type { QueueContext } from './queue.ts'

/** What the player asks of the catalogue. Everything rejects with an `ApiFailure`. */
export interface SongSource {
  /** From this device where it is known here, else from the server. */
  song(songId: string, contextId: string | undefined): Promise<SongDetail>
  /** The songs around `songId`. A list without it is not the whole of its context, whatever its length. */
  context(contextId: string, songId: string | undefined): Promise<QueueContext>
  /**
   * The id of a random song of the context (of all songs without one), never `not`. With no answer from the server it is
   * one of `known`, if there is any.
   */
  random(contextId: string | undefined, not: string, known: readonly Song[]): Promise<string>
  countPlay(songId: string, contextId: string | undefined): void
  reportUnplayable(songId: string, code: number): void
}

// What a queue shows and a person can reorder. Longer contexts go on by the server's "next".
const CONTEXT_LIMIT = 500

/** Takes a play that the site could not be told of. */
export type KeepPlay = (play: { s: string; p?: string }) => void

interface SongSourceDeps {
  api: Api
  catalogue: Catalogue
  keepPlay: KeepPlay
}

export function createSongSource({ api, catalogue, keepPlay }: SongSourceDeps): SongSource {
  const ignore = () => {
    // A report that did not arrive changes nothing for the person who listens.
  }
  return {
    song: (songId, contextId) => firstData(catalogue.song(songId, contextId)),
    async context(contextId, songId) {
      const favorites = contextId === FAVORITES_ID ? await catalogue.favorites() : undefined
      if (favorites) return toContext(favorites, favorites.length, songId)
      const resource = catalogue.playlist(contextId)
      await resource.opened()
      const known = resource.getSnapshot().data
      if (known) return toContext(known.songs, known.playlist.song_count, songId)
      const { playlist, songs } = await api.call('GET /playlist/get', { p: contextId, limit: CONTEXT_LIMIT })
      return toContext(songs, playlist.song_count, songId)
    },
    async random(contextId, not, known) {
      try {
        return (await catalogue.randomSong(contextId === undefined ? { not } : { p: contextId, not })).youtube_id
      } catch (cause) {
        const others = known.filter((song) => song.youtube_id !== not)
        const picked = others[Math.floor(Math.random() * others.length)]
        if (!picked || (cause instanceof ApiFailure && cause.kind === 'api')) throw cause
        return picked.youtube_id
      }
    },
    countPlay(songId, contextId) {
      const play = contextId === undefined ? { s: songId } : { s: songId, p: contextId }
      api.call('POST /song/play', play).catch((cause: unknown) => {
        if (cause instanceof ApiFailure && cause.kind === 'network') keepPlay(play)
      })
    },
    reportUnplayable(songId, code) {
      api.call('POST /song/unplayable', { s: songId, reason: `video error ${code}` }).catch(ignore)
    },
  }
}

function toContext(songs: readonly Song[], songCount: number, songId: string | undefined): QueueContext {
  return { songs, complete: songs.length >= songCount && songs.some((song) => song.youtube_id === songId) }
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
