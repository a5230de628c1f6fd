import type pg from 'pg'
import { StorageError } from '../errors.ts'
import { migrations } from '../migrations.ts'
import type { StoredRow, TableReader } from '../table-reader.ts'
import { toStorageError } from './postgres-connection.ts'

/** The key of the advisory lock of backups, equal in all processes of this program. */
const BACKUP_LOCK_ID = 22_011_803
/** The number of rows that are fetched first, and the number and size of rows that later fetches aim at. Rows with pictures are large. */
const FIRST_FETCH_ROW_COUNT = 10
const ROWS_PER_FETCH = 1000
const CHARACTERS_PER_FETCH = 4_000_000

const measureTextLength = (row: StoredRow) =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/**
 * Takes the lock of backups on a connection of its own. Returns the function that releases it; undefined if another process has it. The lock belongs to a
 * transaction and not to the session, because a pooler may give each transaction another session. Such a transaction holds nothing but the lock.
 */
export async function takePostgresBackupLock(pgPool: pg.Pool): Promise<(() => Promise<void>) | undefined> {
  const poolClient = await pgPool.connect().catch((error: unknown) => {
    throw toStorageError(error)
  })
  const releaseLock = async () => {
    await poolClient.query('rollback').catch(() => {})
    poolClient.release(true)
  }
  try {
    await poolClient.query('begin')
    const { rows } = await poolClient.query<{ locked: boolean }>(`select pg_try_advisory_xact_lock(${BACKUP_LOCK_ID}) as locked`)
    if (rows[0]?.locked === true) return releaseLock
  } catch (error) {
    await releaseLock()
    throw toStorageError(error)
  }
  await releaseLock()
  return undefined
}

/**
 * Opens a database of PostgreSQL to read whole tables from one snapshot, on a connection of its own. Imports and migrations wait until it is closed.
 * @throws StorageError if the database has other migrations than this program
 */
export async function openPostgresReader(pgPool: pg.Pool): Promise<
  TableReader & {
    readRevision(): Promise<number>
    close(): Promise<void>
  }
> {
  const poolClient = await pgPool.connect().catch((error: unknown) => {
    throw toStorageError(error)
  })
  const runQuery = async <Row extends pg.QueryResultRow>(sqlText: string): Promise<Row[]> => {
    try {
      return (await poolClient.query<Row>(sqlText)).rows
    } catch (error) {
      throw toStorageError(error)
    }
  }
  try {
    await runQuery('begin isolation level repeatable read read only')
    // An import or a migration whose tables the snapshot does not contain would be read as empty tables. Imports and migrations take a conflicting lock
    // first. The snapshot is chosen by the first statement after this one, because LOCK TABLE needs none.
    await runQuery('lock table migrations in share mode')
    const appliedMigrations = await runQuery<{ name: string }>('select name from migrations')
    const knownNames = new Set(migrations.map(({ name }) => name))
    if (appliedMigrations.length !== knownNames.size || appliedMigrations.some(({ name }) => !knownNames.has(name)))
      throw new StorageError('version', 'The database belongs to another version of this program: start the server of this version once.')
    // The main tables are in the first schema of the search path that existed when they were created, which need not be `public`.
    const tableRows = await runQuery<{ name: string }>(
      `select case when nspname = 'catalogue' then 'catalogue.' else '' end || relname as name
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p')
         and (nspname = 'catalogue' or relnamespace = (select relnamespace from pg_class where oid = to_regclass('migrations')))
       order by nspname = 'catalogue', relname`,
    )
    return {
      listTables: () => tableRows.map(({ name }) => name),
      readRows: async function* (tableName) {
        await runQuery(`declare backup_rows no scroll cursor for select * from ${tableName}`)
        let fetchRowCount = FIRST_FETCH_ROW_COUNT
        for (;;) {
          const backupRows = await runQuery<Record<string, unknown>>(`fetch ${fetchRowCount} from backup_rows`)
          yield* backupRows
          if (backupRows.length < fetchRowCount) break
          const characterCount = backupRows.reduce((sum, row) => sum + measureTextLength(row), 0)
          fetchRowCount = Math.max(
            1,
            Math.min(ROWS_PER_FETCH, Math.floor((fetchRowCount * CHARACTERS_PER_FETCH) / Math.max(characterCount, 1))),
          )
        }
        await runQuery('close backup_rows')
      },
      readRevision: async () => (await runQuery<{ value: number }>("select value from state where key = 'revision'"))[0]?.value ?? 0,
      close: async () => {
        await poolClient.query('rollback').catch(() => {})
        poolClient.release(true)
      },
    }
  } catch (error) {
    poolClient.release(true)
    throw error
  }
}

/** Stores the time of the last good backup. */
export async function storePostgresBackupTime(pgPool: pg.Pool, backedUpAtMs: number): Promise<void> {
  await pgPool
    .query("insert into state (key, value) values ('backup', $1) on conflict (key) do update set value = excluded.value", [backedUpAtMs])
    .catch((error: unknown) => {
      throw toStorageError(error)
    })
}
