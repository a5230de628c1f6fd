import type { Song } from '../../contract/song.ts'
import { singleFlight } from '../primitives/single-flight.ts'
import type { LocalDatabase } from './local-database.ts'
import { type RelatedSongsQuery, type SearchQuery, SongTextIndex } from './song-text-index.ts'

const SONG_BATCH_SIZE = 1_000

/** Indexes the songs of the database for offline search. Writes from any part of the page and from other tabs update the index. */
export function createSongIndex(database: LocalDatabase) {
  let textIndex: SongTextIndex | undefined
  /** Whether all songs must be read again, because any may have changed. */
  let isIndexStale = true
  /** Ids of the songs that changed since they were read. */
  const changedSongIds = new Set<string>()

  database.onSongsChanged((songIds) => {
    if (isIndexStale) return
    if (songIds) for (const id of songIds) changedSongIds.add(id)
    else isIndexStale = true
  })

  async function loadSongs() {
    isIndexStale = false
    changedSongIds.clear()
    try {
      const loadedIndex = new SongTextIndex()
      let lastReadSongId = ''
      for (;;) {
        const songs = await database.read((tables) => tables.songs.page(lastReadSongId, SONG_BATCH_SIZE))
        loadedIndex.put(songs)
        lastReadSongId = songs.at(-1)?.youtube_id ?? ''
        if (songs.length < SONG_BATCH_SIZE) break
        await new Promise((resolve) => setTimeout(resolve))
      }
      textIndex = loadedIndex
    } catch (error) {
      isIndexStale = true
      throw error
    }
  }

  async function readChangedSongs() {
    const idsToRead = [...changedSongIds]
    changedSongIds.clear()
    try {
      const songs = await database.read((tables) => tables.songs.getMany(idsToRead))
      textIndex?.remove(idsToRead)
      textIndex?.put(songs.filter((song) => song !== undefined))
    } catch (error) {
      for (const id of idsToRead) changedSongIds.add(id)
      throw error
    }
  }

  const ensureSongsLoaded = singleFlight(async () => {
    while (isIndexStale) await loadSongs()
    if (changedSongIds.size > 0) await readChangedSongs()
  })

  return {
    /** Reads the songs that the index does not know yet, in batches that let the page respond in between. */
    ready: ensureSongsLoaded,
    /** Waits for `ready`, then returns the ids of the matching songs in the order of the query. */
    async search(query: SearchQuery) {
      await ensureSongsLoaded()
      return textIndex?.search(query) ?? []
    },
    /** Waits for `ready`, then returns the songs and artists to suggest for `typedText`. */
    async suggest(typedText: string, suggestionLimit: number) {
      await ensureSongsLoaded()
      return textIndex?.suggest(typedText, suggestionLimit) ?? { songs: [], artists: [] }
    },
    /** Waits for `ready`, then returns the songs that are related to `song`. */
    async related(song: Song, query: RelatedSongsQuery): Promise<Song[]> {
      await ensureSongsLoaded()
      const ids = textIndex?.related(song, query) ?? []
      return (await database.read((tables) => tables.songs.getMany(ids))).filter((row) => row !== undefined)
    },
  }
}

export type SongIndex = ReturnType<typeof createSongIndex>
