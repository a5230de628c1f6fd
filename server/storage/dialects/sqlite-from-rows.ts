import { createCatalogueTablesSql } from '../catalogue-tables.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import type { StoredRow, TableReader } from '../table-reader.ts'
import { openSqlite } from './sqlite.ts'
import { toStorageError } from './sqlite-connection.ts'
import { createCataloguePath, createDatabasePath, createPrivateFile } from './sqlite-files.ts'

const CATALOGUE_BUILD_NUMBER = 1

/**
 * Writes the rows of another database into a new SQLite database in `databaseDir`, table by table. The catalogue gets no indexes, so that it counts as one of
 * another version, which is rebuilt when the database is opened.
 * @param observe is called with each row of each table
 */
export async function writeSqliteDatabase(
  databaseDir: string,
  source: TableReader,
  {
    revision,
    omittedTables,
    observe,
  }: { revision: number; omittedTables: ReadonlySet<string>; observe: (table: string, row: StoredRow) => void },
): Promise<void> {
  await (await openSqlite(databaseDir)).close()
  const databaseHandle = new SqliteFile(createDatabasePath(databaseDir))
  const createInsert = (table: string, columns: readonly string[]) =>
    databaseHandle.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
  try {
    // The folder is new and is deleted after a failure, so that neither a journal nor a flush of each commit is needed.
    databaseHandle.pragma('journal_mode = off')
    databaseHandle.pragma('synchronous = off')
    createPrivateFile(createCataloguePath(databaseDir, CATALOGUE_BUILD_NUMBER))
    databaseHandle.prepare('attach ? as catalogue').run(createCataloguePath(databaseDir, CATALOGUE_BUILD_NUMBER))
    for (const statement of createCatalogueTablesSql('sqlite', 'catalogue')) databaseHandle.exec(statement)
    const tableQuery = databaseHandle.prepare("select 1 from main.sqlite_schema where type = 'table' and name = ?").pluck()
    for (const tableName of source.listTables()) {
      if (omittedTables.has(tableName) || !(tableName.startsWith('catalogue.') || tableQuery.get(tableName) === 1)) continue
      databaseHandle.exec('begin')
      let insertStatement: ReturnType<typeof createInsert> | undefined
      let columnNames: string[] = []
      for await (const sourceRow of source.readRows(tableName)) {
        if (insertStatement === undefined) {
          columnNames = Object.keys(sourceRow)
          insertStatement = createInsert(tableName, columnNames)
        }
        insertStatement.run(columnNames.map((column) => sourceRow[column]))
        observe(tableName, sourceRow)
      }
      databaseHandle.exec('commit')
    }
    const setState = databaseHandle.prepare('update main.state set value = ? where key = ?')
    setState.run(revision, 'revision')
    setState.run(CATALOGUE_BUILD_NUMBER, 'catalogue')
  } catch (error) {
    throw toStorageError(error, createDatabasePath(databaseDir))
  } finally {
    databaseHandle.close()
  }
}
