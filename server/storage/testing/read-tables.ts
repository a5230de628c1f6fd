import { join } from 'node:path'
import { SqliteFile } from '../sqlite-driver.ts'

/** A row as the database stores it. */
type Row = Readonly<Record<string, unknown>>

/**
 * Reads all rows of all tables of a SQLite database from the files of `dataDir`, whatever tables exist. The imported catalogue is left out.
 */
export function readTables(dataDir: string): Map<string, readonly Row[]> {
  const database = new SqliteFile(join(dataDir, 'varispeed.sqlite'), { readonly: true })
  try {
    const names = database.prepare<[], { name: string }>("select name from sqlite_master where type = 'table' order by name").all()
    return new Map(names.map(({ name }) => [name, database.prepare<[], Row>(`select * from "${name}"`).all()]))
  } finally {
    database.close()
  }
}

/** Counts the rows of each table. */
export const countRows = (dataDir: string): Record<string, number> =>
  Object.fromEntries([...readTables(dataDir)].map(([name, rows]) => [name, rows.length]))
