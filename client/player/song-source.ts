import { isContextOnDevice } from '../../contract/playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import { loadContext } from '../data/queue-context.ts'
import type { Resource } from '../data/resource.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import type { PlayKind } from './playback.ts'
import type { PagePlayer } from './player-interface.ts'
import type { QueueContext } from './queue.ts'

/** Stores plays on this device. */
export interface PlayStore {
  /**
   * Stores the report of a play that could not be sent to the server. The report is stored without an account, because plays are never sent
   * with a token.
   */
  storePlay(play: { s: string; p?: string; duration?: number }): Promise<void>
  /** Stores that a song of `player` was played, and from the first play on how long the songs of `player` are played. */
  logPlay(player: PagePlayer, song: Song, contextId: string | undefined, kind: PlayKind): Promise<void>
}

export interface SongSourceDeps {
  api: Api
  catalogue: Catalogue
  openPlayStore: () => Promise<PlayStore>
}

/** The player's access to the catalogue. All promises reject with an `ApiCallError`. */
export function createSongSource({ api, catalogue, openPlayStore }: SongSourceDeps) {
  const ignoreFailure = () => {
    // A failed report is ignored, because it does not affect playback.
  }
  const storeOnDevice = (store: (playStore: PlayStore) => Promise<void>) => void openPlayStore().then(store).catch(ignoreFailure)
  return {
    /** Finds the songs that are related to a song. */
    related: { api, songIndex: catalogue.songIndex },
    /** Returns a song from the local database if possible, else from the server. */
    song: (songId: string, contextId: string | undefined) => readOrFetch(catalogue.song(songId, contextId)),
    /** Returns the songs of a context. A list that does not contain `songId` counts as incomplete. */
    async context(songContextId: string, songId: string | undefined): Promise<QueueContext> {
      const { songs, complete } =
        (isContextOnDevice(songContextId) && (await catalogue.deviceSongs(songContextId))) ||
        (await loadContext({ api, catalogue }, songContextId))
      return { songs, complete: complete && songs.some((song) => song.youtube_id === songId) }
    },
    /**
     * Returns the id of a random song of the context, or of all songs without a context, except `excludedSongId`. Without a response of the server the song is
     * chosen from `knownSongs`, if possible.
     */
    async randomSongId(songContextId: string | undefined, excludedSongId: string, knownSongs: readonly Song[]) {
      try {
        return (
          await catalogue.randomSong(songContextId === undefined ? { not: excludedSongId } : { p: songContextId, not: excludedSongId })
        ).youtube_id
      } catch (cause) {
        const otherSongs = knownSongs.filter((song) => song.youtube_id !== excludedSongId)
        const picked = otherSongs[Math.floor(Math.random() * otherSongs.length)]
        if (!picked || (cause instanceof ApiCallError && cause.kind === 'api')) throw cause
        return picked.youtube_id
      }
    },
    /**
     * Reports a play, with the context if the server knows it. `lengthSeconds` is the video's length, which the server stores for a song of unknown length; with 0, no length is
     * reported.
     */
    countPlay(songId: string, songContextId: string | undefined, lengthSeconds: number) {
      const playEvent = {
        s: songId,
        ...(songContextId === undefined || isContextOnDevice(songContextId) ? {} : { p: songContextId }),
        ...(lengthSeconds > 0 ? { duration: lengthSeconds } : {}),
      }
      api.call('POST /song/play', playEvent).catch((cause: unknown) => {
        if (cause instanceof ApiCallError && cause.kind === 'network') storeOnDevice((playStore) => playStore.storePlay(playEvent))
      })
    },
    /** Stores a play on this device. */
    logPlay: (...play: Parameters<PlayStore['logPlay']>) => storeOnDevice((playStore) => playStore.logPlay(...play)),
    reportUnplayable(songId: string, code: number) {
      api.call('POST /song/unplayable', { s: songId, reason: `video error ${code}` }).catch(ignoreFailure)
    },
  }
}

type CatalogueSource = ReturnType<typeof createSongSource>
/** The songs of a player. Without `related`, no related songs follow. */
export type SongSource = Omit<CatalogueSource, 'related'> & Partial<Pick<CatalogueSource, 'related'>>

/** Returns the rows of the local database if there are any, else the server's response. */
async function readOrFetch<T>(resource: Resource<T>): Promise<T> {
  // A subscription keeps the resource open until the response has arrived.
  const unsubscribe = resource.subscribe(() => {})
  try {
    await resource.waitUntilOpened()
    const refreshPromise = resource.refresh()
    const knownData = resource.getSnapshot().data
    if (knownData !== undefined) return knownData
    await refreshPromise
    const { data, error } = resource.getSnapshot()
    if (data !== undefined) return data
    throw error ?? new ApiCallError('network', 0, 'An error occurred while fetching data.')
  } finally {
    unsubscribe()
  }
}
