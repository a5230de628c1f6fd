import type { Song } from '../../contract/song.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import { findRelatedSongs } from '../data/related-songs.ts'
import { ApiCallError } from '../platform/api.ts'
import { singleFlight } from '../primitives/single-flight.ts'
import type { Playback } from './playback.ts'
import type { PlayerModel } from './player-model.ts'
import { endsWithRelatedSongs, type QueueState, RELATED_SONGS_MIN, shuffleSongs, stepOnSkip } from './queue.ts'
import type { SongLoader } from './song-loader.ts'
import type { SongSource } from './song-source.ts'

const ADDED_SONG_COUNT = 10
/** The maximum number of songs of one artist among the added songs, so that a productive artist does not make up the whole queue. */
const ADDED_SONGS_PER_ARTIST = 3
/** The number of songs whose related songs are requested before the queue counts as exhausted. */
const SEED_SONGS_MAX = 5

type FindRelated = (song: Song, excludedIds: readonly string[]) => Promise<readonly Song[] | undefined>

interface EndlessDeps {
  model: PlayerModel
  playback: Playback
  loader: SongLoader
  source: SongSource
}

/** Lets related songs follow the songs of the queue. */
export function createEndlessPlayback({ model, playback, loader, source: { related } }: EndlessDeps) {
  const relatedQuery = { limit: ADDED_SONG_COUNT, artistLimit: ADDED_SONGS_PER_ARTIST }
  const addRelated = createRelatedSongsAdder(
    model,
    async (song, excludedIds) => related && findRelatedSongs(related, song, { ...relatedQuery, excludedIds }),
  )
  return {
    addRelated,
    /** Plays a related song once one is found. If the search fails, the current song plays on to its end. */
    async playRelated() {
      const { songId } = model
      playback.setStatus('loading')
      await addRelated()
      // While the songs were requested, another song was opened, or the playback was paused.
      if (model.songId !== songId || playback.status !== 'loading') return
      const step = stepOnSkip(model.queue)
      loader.advance(step.kind === 'related' ? { kind: 'none' } : step)
    },
    /** Plays a song, and related songs after it. If the song is already the current one, it continues to play, or is resumed by `playSong`. */
    startSongRadio(song: Song, playSong: () => void) {
      const isSongCurrent = song.youtube_id === model.songId && song.youtube_id === model.queue.current?.youtube_id
      // Aborts the running request, because its songs belong to a context that is no longer played.
      loader.cancel()
      model.contextId = undefined
      model.contextTitle = `Radio: ${song.title}`
      model.dispatch({ type: 'open', song, links: undefined, context: undefined, isSongRadio: true })
      if (!isSongCurrent) void loader.start()
      else if (!playback.isPlayingOrLoading) playSong()
      else void loader.refreshDetail()
    },
  }
}

export type EndlessPlayback = ReturnType<typeof createEndlessPlayback>

/** Whether related songs must be added, because few songs are left in the queue. */
const needsRelatedSongs = (queue: QueueState): boolean =>
  queue.entries.length <= RELATED_SONGS_MIN && !queue.isExhausted && endsWithRelatedSongs(queue)

/**
 * Returns the songs for which related songs are searched: the last song of the queue, then earlier songs, but only one for each artist in
 * each category, and no videos that the catalogue lacks, since no song is related to them.
 */
function listSeedSongs({ entries, current, history }: QueueState): Song[] {
  const songsLastFirst = [...history, ...(current ? [current] : []), ...entries.map((entry) => entry.song)].reverse()
  const seedSongByCategoryAndArtist = new Map<string, Song>()
  for (const song of songsLastFirst) {
    const key = `${song.category_id} ${song.author_name}`
    if (song.category_id !== NO_CATEGORY_ID && !seedSongByCategoryAndArtist.has(key)) seedSongByCategoryAndArtist.set(key, song)
  }
  return [...seedSongByCategoryAndArtist.values()].slice(0, SEED_SONGS_MAX)
}

/**
 * Returns the ids of the songs that must not be added: lists that exclude less and less, of which the next is used if nothing is found. All exclude
 * the current song and those in the queue. The first also excludes all recent songs, the second their newer half, so that a radio of few songs begins
 * again with those that were played longest ago. While the queue has entries, there is only the first list.
 */
function listExclusions({ recentSongIds, entries, current }: QueueState): string[][] {
  const newestFirstIds = [...new Set([...(current ? [current.youtube_id] : []), ...recentSongIds.toReversed()])]
  const entryIds = entries.map((entry) => entry.song.youtube_id)
  if (entryIds.length > 0) return [[...new Set([...newestFirstIds, ...entryIds])]]
  const { length } = newestFirstIds
  return [...new Set([length, Math.ceil(length / 2), 1])].map((count) => newestFirstIds.slice(0, count))
}

/**
 * Returns the function that adds related songs to the queue until the queue has enough songs or no related song exists. If the search fails, no song is
 * added, and the next call tries again. The function never rejects.
 */
export function createRelatedSongsAdder(
  model: Pick<PlayerModel, 'queue' | 'dispatch'>,
  findRelated: FindRelated,
  nextRandom: () => number = Math.random,
): () => Promise<void> {
  /** Finds songs to add. Returns an empty list if there are none, and `undefined` if this is unknown because of a failure. */
  async function findSongs(queue: QueueState): Promise<readonly Song[] | undefined> {
    let hasEverySearchSucceeded = true
    const seedSongs = listSeedSongs(queue)
    for (const excludedIds of listExclusions(queue)) {
      for (const seedSong of seedSongs) {
        const relatedSongs = await findRelated(seedSong, excludedIds).catch((error: unknown) => {
          // The catalogue no longer has the song for which related songs were searched.
          if (error instanceof ApiCallError && error.code === 404) return []
          throw error
        })
        if (relatedSongs === undefined) hasEverySearchSucceeded = false
        else if (relatedSongs.length > 0) return relatedSongs
      }
    }
    return hasEverySearchSucceeded ? [] : undefined
  }

  return singleFlight(async () => {
    try {
      while (needsRelatedSongs(model.queue)) {
        const queueBefore = model.queue
        const songs = await findSongs(queueBefore)
        const { queue } = model
        // Songs were played, queued or removed in the meantime. The next search excludes them.
        if (queue.entries !== queueBefore.entries || queue.recentSongIds !== queueBefore.recentSongIds) continue
        if (songs === undefined || !needsRelatedSongs(queue)) return
        // No further song is found now. Once the last song of the queue plays, older songs may be repeated, and the next call searches again.
        if (songs.length === 0 && queue.entries.length > 0) return
        model.dispatch({ type: 'related', songs: queue.shuffle ? shuffleSongs(songs, nextRandom) : songs })
      }
    } catch {
      // The failure is ignored: the queue continues with the songs that it has.
    }
  })
}
