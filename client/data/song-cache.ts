import type { Song } from '../../contract/song.ts'
import type { LocalDatabase, Tables } from './local-database.ts'

/** Songs that were read from a database, so that each row of a long playlist is read once, and again only after it has changed. */
export interface SongCache {
  /** Returns the songs of `ids` that the database has, by id. */
  read(tables: Tables, ids: readonly string[]): Promise<ReadonlyMap<string, Song>>
  /** Returns the song `id` if it was read before. */
  get(id: string): Song | undefined
}

/** The cache is emptied before it would have more songs than this. */
const CACHED_SONGS_MAX = 30_000

const cacheByDatabase = new WeakMap<LocalDatabase, SongCache>()

/** Returns the song cache of a database. */
export function getSongCache(database: LocalDatabase): SongCache {
  const cache = cacheByDatabase.get(database) ?? createSongCache(database)
  cacheByDatabase.set(database, cache)
  return cache
}

function createSongCache(database: LocalDatabase): SongCache {
  let songById = new Map<string, Song>()
  let changeCount = 0
  database.onSongsChanged((songIds) => {
    changeCount++
    if (!songIds) songById = new Map()
    for (const id of songIds ?? []) songById.delete(id)
  })
  return {
    get: (id) => songById.get(id),
    async read(tables, songIds) {
      const knownSongs = songById
      const changeCountBefore = changeCount
      const missingSongIds = [...new Set(songIds.filter((id) => !knownSongs.has(id)))]
      const readSongs: (readonly [string, Song])[] = []
      for (const song of missingSongIds.length > 0 ? await tables.songs.getMany(missingSongIds) : [])
        if (song) readSongs.push([song.youtube_id, song])
      if (readSongs.length === 0) return knownSongs
      const foundSongById = new Map([...knownSongs, ...readSongs])
      // Rows that have changed since they were read are read again.
      if (changeCount === changeCountBefore) songById = foundSongById.size > CACHED_SONGS_MAX ? new Map(readSongs) : foundSongById
      return foundSongById
    },
  }
}
