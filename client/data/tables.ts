import { type Table, type TableName, type Tables, tableKeys } from './local-database.ts'

/** Creates the tables of a database. `keyOf` returns the key of a row of the table `name`. */
export function createTables(createTable: (name: TableName, keyOf: (row: object) => string) => Table<object>): Tables {
  // The casts are safe: the names are those of `tableKeys`, and a table holds only rows of its own type.
  const names = Object.keys(tableKeys) as TableName[]
  const entries = names.map((name) => [name, createTable(name, tableKeys[name] as (row: object) => string)])
  return Object.fromEntries(entries) as Tables
}

/** Wraps `tables` so that the ids of written and removed songs are added to `writtenSongIds`. */
export const recordSongWrites = (tables: Tables, writtenSongIds: Set<string>): Tables => ({
  ...tables,
  songs: {
    ...tables.songs,
    put(newRows) {
      for (const row of newRows) writtenSongIds.add(row.youtube_id)
      return tables.songs.put(newRows)
    },
    remove(rowKeys) {
      for (const key of rowKeys) writtenSongIds.add(key)
      return tables.songs.remove(rowKeys)
    },
  },
})
