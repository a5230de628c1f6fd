import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
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
const initialTables: ReadonlySet<string> = new Set(['migrations', 'state', 'catalogue.totals'])

async function hasRows(queries: Queries, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.raw(table)} limit 1`.execute(queries)
  return rows.length > 0
}

async function insertRows(queries: Queries, table: string, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return
  const name = sql.raw(table)
  await sql`insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, ${`[${rows.join(',')}]`}::json)`.execute(
    queries,
  )
}

async function copyTable(queries: Queries, table: string, source: Iterable<StoredRow> | AsyncIterable<StoredRow>): Promise<number> {
  let batch: string[] = []
  let characters = 0
  let rowCount = 0
  for await (const row of source) {
    const text = JSON.stringify(row)
    batch.push(text)
    characters += text.length
    rowCount++
    if (batch.length < ROWS_PER_BATCH && characters < CHARACTERS_PER_BATCH) continue
    await insertRows(queries, table, batch)
    batch = []
    characters = 0
  }
  await insertRows(queries, table, batch)
  return rowCount
}

/**
 * Copies all rows of the SQLite database in `dataDir` to an empty PostgreSQL database, in one transaction, which deletes existing rows first if
 * `replace` is true. Returns the number of rows, by table.
 * @throws StorageError if a process uses the SQLite database, or if the PostgreSQL database has rows; nothing was changed
 */
export async function moveToPostgres(
  dataDir: string,
  openTarget: () => Promise<Database>,
  report: (line: string) => void,
  { replace = false }: { replace?: boolean } = {},
): Promise<Record<string, number>> {
  requireUnusedDatabase(dataDir)
  // Opening the SQLite database applies pending migrations, and an old catalogue is rebuilt, so that both databases have the same tables.
  const migrated = await openSqlite(dataDir)
  if (migrated.isOutdated()) await rebuildCatalogue(migrated)
  await migrated.close()
  const source = openSqliteReader(dataDir)
  try {
    const target = await openTarget()
    try {
      const tables = source.listTables().filter((table) => table !== 'migrations' && table !== 'state')
      const counts: Record<string, number> = {}
      await target.write(async (queries) => {
        if (replace) await sql.raw(`truncate ${tables.join(', ')}`).execute(queries)
        for (const table of tables)
          if (!initialTables.has(table) && (await hasRows(queries, table)))
            throw new StorageError('failed', `The PostgreSQL database is not empty: its table ${table} has rows.`)
        await sql`delete from catalogue.totals`.execute(queries)
        for (const table of tables) {
          counts[table] = await copyTable(queries, table, source.rowsOf(table))
          if (counts[table] > 0) report(`${table}: ${counts[table]} rows`)
        }
        await sql`select setval(pg_get_serial_sequence('contacts', 'id'), (select coalesce(max(id), 0) + 1 from contacts), false)`.execute(
          queries,
        )
        // Changes the revision, so that responses that browsers cached before the move do not count as current.
        const revision = source.readRevision() + 1
        await queries.updateTable('state').set({ value: revision }).where('key', '=', 'revision').execute()
      })
      report('The search index is built')
      await rebuildCatalogue(target)
      return counts
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}
