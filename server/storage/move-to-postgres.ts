import { sql } from 'kysely'
import { type Database, type Queries, raiseRevision } from './database.ts'
import type { DatabaseFilling } from './dialects/postgres.ts'
import { openSqlite } from './dialects/sqlite.ts'
import { requireUnusedDatabase } from './dialects/sqlite-lock.ts'
import { openSqliteReader } from './dialects/sqlite-reader.ts'
import { StorageError } from './errors.ts'
import { rebuildCatalogue } from './import/importer.ts'
import type { StoredRow } from './table-reader.ts'

/** The maximum number and size of the rows that one statement inserts. */
const ROWS_PER_BATCH = 500
const CHARACTERS_PER_BATCH = 4_000_000

/** The tables with rows in every new database. */
const initiallyFilledTables: ReadonlySet<string> = new Set(['migrations', 'state', 'catalogue.totals'])

async function hasRows(queries: Queries, tableName: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.raw(tableName)} limit 1`.execute(queries)
  return rows.length > 0
}

async function insertRows(queries: Queries, tableName: string, rowJsons: readonly string[]): Promise<void> {
  if (rowJsons.length === 0) return
  const tableSql = sql.raw(tableName)
  await sql`insert into ${tableSql} overriding system value select * from json_populate_recordset(null::${tableSql}, ${`[${rowJsons.join(',')}]`}::json)`.execute(
    queries,
  )
}

async function copyTable(queries: Queries, tableName: string, rowSource: Iterable<StoredRow> | AsyncIterable<StoredRow>): Promise<number> {
  let rowJsons: string[] = []
  let characterCount = 0
  let rowCount = 0
  for await (const sourceRow of rowSource) {
    const rowJson = JSON.stringify(sourceRow)
    rowJsons.push(rowJson)
    characterCount += rowJson.length
    rowCount++
    if (rowJsons.length < ROWS_PER_BATCH && characterCount < CHARACTERS_PER_BATCH) continue
    await insertRows(queries, tableName, rowJsons)
    rowJsons = []
    characterCount = 0
  }
  await insertRows(queries, tableName, rowJsons)
  return rowCount
}

/**
 * Copies all rows of the SQLite database in `dataDir` to an empty PostgreSQL database, in one transaction. If `replace` is true, existing rows are deleted
 * in it, and the tables of a newer version are replaced. Returns the number of rows, by table.
 * The search index is built afterwards; if that fails, the next start of the server builds it.
 * @param openTarget opens the PostgreSQL database and fills it
 * @throws StorageError if a process uses the SQLite database, or if the PostgreSQL database has rows. Nothing was changed then, unless the connection
 * was lost during the commit.
 */
export async function moveToPostgres(
  dataDir: string,
  openTarget: (filling: DatabaseFilling) => Promise<Database>,
  reportLine: (line: string) => void,
  { replace = false, beforeCommit }: { replace?: boolean; beforeCommit?: (queries: Queries) => Promise<void> } = {},
): Promise<Record<string, number>> {
  requireUnusedDatabase(dataDir)
  // Opening the SQLite database applies pending migrations, and an old catalogue is rebuilt, so that both databases have the same tables.
  const migratedStorage = await openSqlite(dataDir)
  if (migratedStorage.isOutdated()) await rebuildCatalogue(migratedStorage)
  await migratedStorage.close()
  const sourceReader = openSqliteReader(dataDir)
  const countByTable: Record<string, number> = {}
  async function fill(queries: Queries): Promise<void> {
    const tables = sourceReader.listTables().filter((table) => table !== 'migrations' && table !== 'state')
    if (replace) await sql.raw(`truncate ${tables.join(', ')}`).execute(queries)
    for (const table of tables)
      if (!initiallyFilledTables.has(table) && (await hasRows(queries, table)))
        throw new StorageError('failed', `The PostgreSQL database is not empty: its table ${table} has rows.`)
    await sql`delete from catalogue.totals`.execute(queries)
    for (const table of tables) {
      countByTable[table] = await copyTable(queries, table, sourceReader.readRows(table))
      if (countByTable[table] > 0) reportLine(`${table}: ${countByTable[table]} rows`)
    }
    await sql`select setval(pg_get_serial_sequence('contacts', 'id'), (select coalesce(max(id), 0) + 1 from contacts), false)`.execute(
      queries,
    )
    await raiseRevision(queries, sourceReader.readRevision())
    // Without its comment, the catalogue counts as one of another version, which the next start rebuilds.
    await sql`comment on schema catalogue is null`.execute(queries)
    await beforeCommit?.(queries)
  }
  try {
    const targetDatabase = await openTarget({ replacesNewer: replace, fill })
    try {
      reportLine('The search index is built')
      await rebuildCatalogue(targetDatabase).catch((error: unknown) =>
        reportLine(
          `The search index was not built, and the next start of the server builds it: ${error instanceof Error ? error.message : error}`,
        ),
      )
      return countByTable
    } finally {
      await targetDatabase.close()
    }
  } finally {
    sourceReader.close()
  }
}
