import { type Kysely, sql } from 'kysely'
import type { Queries } from '../database.ts'
import { StorageError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { lockMigrations } from './postgres.ts'
import { createPoolQueries, openPool } from './postgres-connection.ts'

/** The key of the row of `state` that says which restore was committed last. */
const RESTORE_KEY = 'restore'
/** The time for which other sessions are watched. Each process of the site asks the database twice a second. */
const WATCH_MS = 3000

async function withQueries<T>(databaseUrl: string, job: (queries: Kysely<Tables>) => Promise<T>): Promise<T> {
  const queries = createPoolQueries(openPool(databaseUrl))
  try {
    return await job(queries)
  } finally {
    await queries.destroy()
  }
}

/**
 * Refuses a database that another session of the same user is using. Idle connections of a pooler remain idle while they are watched.
 * @throws StorageError if another session runs a statement meanwhile
 */
export async function requireUnusedPostgres(databaseUrl: string): Promise<void> {
  await withQueries(databaseUrl, (queries) =>
    // The transaction keeps a pooler from giving its connection to others. `now()` is the time at which it began.
    queries.transaction().execute(async (transaction) => {
      await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
      const { rows } = await sql<{ pid: number; address: string | null }>`
        select pid, host(client_addr) as address from pg_stat_activity
        where datname = current_database() and usename = current_user and backend_type = 'client backend' and pid <> pg_backend_pid()
          and (state <> 'idle' or state_change > now())
        limit 1`.execute(transaction)
      const [session] = rows
      if (session === undefined) return
      throw new StorageError(
        'busy',
        `The database is in use (by session ${session.pid} from ${session.address ?? 'this machine'}): stop all processes of the site first, with systemctl stop 'varispeed*'.`,
      )
    }),
  )
}

/** Notes in the transaction of a restore that its rows are in the database once it is committed. */
export async function storeRestoreMark(queries: Queries, mark: number): Promise<void> {
  await queries
    .insertInto('state')
    .values({ key: RESTORE_KEY, value: mark })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: mark }))
    .execute()
}

/**
 * Calls `job` with the mark of the restore that was committed last, while no other process restores, migrates or calls this function. Waits for a
 * restore that is under way.
 */
export function withRestoreMark(databaseUrl: string, job: (mark: number | undefined) => void): Promise<void> {
  return withQueries(databaseUrl, (queries) =>
    queries.transaction().execute(async (transaction) => {
      await lockMigrations(transaction)
      const { rows } = await sql<{ exists: boolean }>`select to_regclass('state') is not null as exists`.execute(transaction)
      const row =
        rows[0]?.exists === true
          ? await transaction.selectFrom('state').select('value').where('key', '=', RESTORE_KEY).executeTakeFirst()
          : undefined
      job(row?.value)
    }),
  )
}
