import { SqliteFile } from '../sqlite-driver.ts'
import { catalogueFile, databaseFile } from './sqlite-files.ts'

/** Opens the database in `dataDir` to read whole tables from one snapshot. */
export function openSqliteReader(dataDir: string) {
  const handle = new SqliteFile(databaseFile(dataDir), { readonly: true, timeout: 5000 })
  const readState = (key: string) => Number(handle.prepare('select value from main.state where key = ?').pluck().get(key))
  const build = readState('catalogue')
  if (build > 0) handle.prepare('attach ? as catalogue').run(catalogueFile(dataDir, build))
  handle.exec('begin')
  const tablesOf = (schema: string) =>
    handle
      .prepare(
        `select name from ${schema}.sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '%\\_tokens%' escape '\\'`,
      )
      .pluck()
      .all()
      .map(String)
  return {
    /** Lists the tables of the main database and, with the prefix `catalogue.`, those of the catalogue, without the tables of the search index. */
    listTables: (): string[] => [...tablesOf('main'), ...(build > 0 ? tablesOf('catalogue').map((name) => `catalogue.${name}`) : [])],
    rowsOf: (table: string): IterableIterator<unknown> =>
      handle.prepare(`select * from ${table.includes('.') ? table : `main.${table}`}`).iterate(),
    readRevision: (): number => readState('revision'),
    close: (): void => {
      handle.close()
    },
  }
}
