import { type Table, type TableName, type Tables, tableKeys } from './local-database.ts'

/** Creates the tables of a database. `keyOf` returns the key of a row of the table `name`. */
export function createTables(createTable: (name: TableName, keyOf: (row: object) => string) => Table<object>): Tables {
  // The casts are safe: the names are those of `tableKeys`, and a table holds only rows of its own type.
  const names = Object.keys(tableKeys) as TableName[]
  const entries = names.map((name) => [name, createTable(name, tableKeys[name] as (row: object) => string)])
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
