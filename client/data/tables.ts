import type { Rows, Table, TableName, Tables } from './local-database.ts'

/** The key of each table's rows: the name of one of their members. */
const tableKeys = {
  songs: 'youtube_id',
  playlists: 'id',
  lists: 'key',
  details: 'key',
  visits: 'key',
  feed: 'id',
  site: 'key',
  documents: 'name',
  members: 'channel_id',
  supporters: 'domain_name',
  memberStats: 'key',
  pinned: 'id',
  accounts: 'uid',
  makeHistories: 'uid',
  outbox: 'id',
  favorites: 'uid',
  favoriteClocks: 'uid',
  recentPlays: 'id',
} as const satisfies { [Name in TableName]: keyof Rows[Name] }

/** Creates the tables of a database. `keyOf` returns the key of a row of the table `name`. */
export function createTables(createTable: (name: TableName, keyOf: (row: object) => string) => Table<object>): Tables {
  // The casts are safe: the names are those of `tableKeys`, and a table holds only rows of its own type.
  const names = Object.keys(tableKeys) as TableName[]
  // Keys are not converted to texts, because an invalid row may have one of another type, by which it is removed.
  const entries = names.map((name) => [name, createTable(name, (row) => Reflect.get(row, tableKeys[name]))])
  return Object.fromEntries(entries) as Tables
}

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
