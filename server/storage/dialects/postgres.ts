import { type PostgresPool, sql } from 'kysely'
import pg from 'pg'
import { bumpRevision, type Database, type Queries, type Staging } from '../database.ts'
import { migrate } from '../migrate.ts'
import { ImportError } from '../storage.ts'
import { catalogueTables, stagedTables } from '../tables.ts'
import { queriesOver, valueTypes } from './postgres-connection.ts'
import { postgresDialect, searchIndexes } from './postgres-search.ts'

/** Numbers of the advisory locks that processes of this program agree by. */
const MIGRATION_LOCK = 22_011_801
const IMPORT_LOCK = 22_011_802
const POLL_MS = 500
const CONNECT_TIMEOUT_MS = 10_000

async function readRevision(queries: Queries): Promise<number> {
  const row = await queries.selectFrom('state').select('value').where('key', '=', 'revision').executeTakeFirstOrThrow()
  return row.value
}

/** A pool of the one connection that an import keeps: its lock and its temporary tables belong to it. */
function onlyConnection(client: pg.PoolClient): PostgresPool {
  const kept = {
    query: client.query.bind(client),
    release: () => {},
  }
  // Kysely asks for `query` and `release` of a client, and the bound `query` has the overloads of the real one.
  return { connect: async () => kept as never, end: async () => {} }
}

async function openPostgresStaging(pool: pg.Pool, onPublished: () => Promise<void>): Promise<Staging> {
  const client = await pool.connect()
  const queries = queriesOver(onlyConnection(client))
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(queries)
  }
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${IMPORT_LOCK}) as locked`.execute(queries)
  if (rows[0]?.locked !== true) {
    client.release()
    throw new ImportError('Another import is under way; try again when it has ended.')
  }
  const close = async () => {
    try {
      await run(['drop schema if exists catalogue_next cascade', 'discard temp', `select pg_advisory_unlock(${IMPORT_LOCK})`])
      client.release()
    } catch (error) {
      // A connection that cannot be cleaned is closed, which frees what it held.
      client.release(true)
      throw error
    }
  }
  try {
    await run(['set client_min_messages = warning', 'drop schema if exists catalogue_next cascade', 'create schema catalogue_next'])
    await run([...catalogueTables('postgres', 'catalogue_next'), ...stagedTables('postgres')])
  } catch (error) {
    await close()
    throw error
  }
  return {
    kind: 'postgres',
    queries,
    append: async (table, rows) => {
      if (rows.length === 0) return
      const name = sql.raw(table)
      await sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)`.execute(queries)
    },
    indexSongs: async () => {
      await run(searchIndexes)
      await run(['songs', 'contexts', 'context_songs'].map((table) => `analyze catalogue_next.${table}`))
    },
    publish: async (job) => {
      await queries.transaction().execute(async (transaction) => {
        await job(transaction)
        await bumpRevision(transaction)
        await sql`drop schema catalogue cascade`.execute(transaction)
        await sql`alter schema catalogue_next rename to catalogue`.execute(transaction)
      })
      await onPublished()
    },
    close,
  }
}

/** The database over `pool`, which it closes. */
export async function createPostgresDatabase(pool: pg.Pool): Promise<Database> {
  // A connection that breaks while it is idle is replaced; the query that needs one reports what is wrong.
  pool.on('error', () => {})
  const queries = queriesOver(pool)
  try {
    await queries.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
      await migrate(transaction, 'postgres')
    })
    let revision = await readRevision(queries)
    let polling: Promise<void> | undefined
    const poll = () => {
      polling ??= readRevision(queries)
        .then((now) => {
          revision = Math.max(revision, now)
        })
        .catch(() => {
          // The next reader meets the same fault and reports it.
        })
        .finally(() => {
          polling = undefined
        })
    }
    const refresh = async (from: Queries) => {
      revision = Math.max(revision, await readRevision(from))
    }
    const timer = setInterval(poll, POLL_MS)
    timer.unref()
    return {
      queries,
      dialect: postgresDialect,
      write: (job) => queries.transaction().execute(job),
      writeRevised: async (job) => {
        const value = await queries.transaction().execute(async (transaction) => {
          const result = await job(transaction)
          await bumpRevision(transaction)
          return result
        })
        await refresh(queries)
        return value
      },
      revision: () => revision,
      isOutdated: () => false,
      openStaging: async () => {
        const staging = await openPostgresStaging(pool, () => refresh(staging.queries))
        return staging
      },
      close: async () => {
        clearInterval(timer)
        await polling
        await queries.destroy()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

export function openPostgres(databaseUrl: string): Promise<Database> {
  return createPostgresDatabase(
    new pg.Pool({ connectionString: databaseUrl, types: valueTypes, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, max: 10 }),
  )
}
