import { catalogueTablesSql } from '../catalogue-tables.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import type { StoredRow, TableReader } from '../table-reader.ts'
import { openSqlite } from './sqlite.ts'
import { asStorageError } from './sqlite-connection.ts'
import { catalogueFile, createPrivateFile, databaseFile } from './sqlite-files.ts'

const BUILD_NUMBER = 1

/**
 * Writes the rows of another database into a new SQLite database in `dir`, table by table. The catalogue gets no indexes, so that it counts as one of
 * another version, which is rebuilt when the database is opened.
 * @param observe is called with each row of each table
 */
export async function writeSqliteDatabase(
  dir: string,
  source: TableReader,
  {
    revision,
    omittedTables,
    observe,
  }: { revision: number; omittedTables: ReadonlySet<string>; observe: (table: string, row: StoredRow) => void },
): Promise<void> {
  await (await openSqlite(dir)).close()
  const handle = new SqliteFile(databaseFile(dir))
  const insertOf = (table: string, columns: readonly string[]) =>
    handle.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
  try {
    // The folder is new and is deleted after a failure, so that neither a journal nor a flush of each commit is needed.
    handle.pragma('journal_mode = off')
    handle.pragma('synchronous = off')
    createPrivateFile(catalogueFile(dir, BUILD_NUMBER))
    handle.prepare('attach ? as catalogue').run(catalogueFile(dir, BUILD_NUMBER))
    for (const statement of catalogueTablesSql('sqlite', 'catalogue')) handle.exec(statement)
    const tableQuery = handle.prepare("select 1 from main.sqlite_schema where type = 'table' and name = ?").pluck()
    for (const table of source.listTables()) {
      if (omittedTables.has(table) || !(table.startsWith('catalogue.') || tableQuery.get(table) === 1)) continue
      handle.exec('begin')
      let insert: ReturnType<typeof insertOf> | undefined
      let columns: string[] = []
      for await (const row of source.rowsOf(table)) {
        if (insert === undefined) {
          columns = Object.keys(row)
          insert = insertOf(table, columns)
        }
        insert.run(columns.map((column) => row[column]))
        observe(table, row)
      }
      handle.exec('commit')
    }
    const setState = handle.prepare('update main.state set value = ? where key = ?')
    setState.run(revision, 'revision')
    setState.run(BUILD_NUMBER, 'catalogue')
  } catch (error) {
    throw asStorageError(error, databaseFile(dir))
  } finally {
    handle.close()
  }
}
