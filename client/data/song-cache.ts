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

const caches = new WeakMap<LocalDatabase, SongCache>()

/** Returns the song cache of a database. */
export function getSongCache(database: LocalDatabase): SongCache {
  const cache = caches.get(database) ?? createSongCache(database)
  caches.set(database, cache)
  return cache
}

function createSongCache(database: LocalDatabase): SongCache {
  let songs = new Map<string, Song>()
  let changeCount = 0
  database.onSongsChanged((songIds) => {
    changeCount++
    if (!songIds) songs = new Map()
    for (const id of songIds ?? []) songs.delete(id)
  })
  return {
    get: (id) => songs.get(id),
    async read(tables, songIds) {
      const knownSongs = songs
      const countBefore = changeCount
      const missingIds = [...new Set(songIds)].filter((id) => !knownSongs.has(id))
      const readSongs: (readonly [string, Song])[] = []
      for (const song of missingIds.length > 0 ? await tables.songs.getMany(missingIds) : [])
        if (song) readSongs.push([song.youtube_id, song])
      if (readSongs.length === 0) return knownSongs
      const foundSongs = new Map([...knownSongs, ...readSongs])
      // Rows that have changed since they were read are read again.
      if (changeCount === countBefore) songs = foundSongs.size > CACHED_SONGS_MAX ? new Map(readSongs) : foundSongs
      return foundSongs
    },
  }
}
