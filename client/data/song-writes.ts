import type { Tables } from './local-database.ts'

/** Wraps `tables` so that the ids of written and removed songs are added to `ids`. */
export const recordSongWrites = (tables: Tables, ids: Set<string>): Tables => ({
  ...tables,
  songs: {
    ...tables.songs,
    put(rows) {
      for (const row of rows) ids.add(row.youtube_id)
      return tables.songs.put(rows)
    },
    remove(keys) {
      for (const key of keys) ids.add(key)
      return tables.songs.remove(keys)
    },
  },
})
