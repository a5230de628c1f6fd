import { type PostgresPool, sql } from 'kysely'
import type pg from 'pg'
import { computeCatalogueFormatHash, createCatalogueTablesSql, createStagedTablesSql } from '../catalogue-tables.ts'
import { bumpRevision, type Database, type ImportStaging, type Queries, type QueryObserver } from '../database.ts'
import { ImportError } from '../errors.ts'
import { applyMigrations } from '../migrate.ts'
import { createPoolQueries, limitQueryTime, openPool } from './postgres-connection.ts'
import { deleteReplacedCatalogue, REPLACED_SCHEMA, swapCatalogueSql, waitForBackups } from './postgres-publish.ts'
import { postgresDialect, searchIndexesSql } from './postgres-search.ts'
import { dropNewerTables, markTables } from './postgres-tables.ts'

/** The keys of PostgreSQL's advisory locks, equal in all processes of this program. */
const MIGRATION_LOCK_ID = 22_011_801
const IMPORT_LOCK_ID = 22_011_802
/** Identifies how a catalogue is built; stored as the comment of its schema. */
const CATALOGUE_FORMAT = computeCatalogueFormatHash('postgres', searchIndexesSql)
const POLL_MS = 500
/** The time after which a poll that was not answered is given up. Its connection is closed, because the database server may have vanished. */
const POLL_TIMEOUT_MS = 10_000

/** Waits until no other process migrates or fills the database, and keeps others from it until the end of the transaction. */
export async function lockMigrations(queries: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK_ID})`.execute(queries)
}

async function readDataRevision(queries: Queries): Promise<number> {
  const row = await queries.selectFrom('state').select('value').where('key', '=', 'revision').executeTakeFirstOrThrow()
  return row.value
}

/** Reads the revision like `readDataRevision`, but within a limited time. */
async function pollDataRevision(pgPool: pg.Pool, observeQuery: QueryObserver | undefined): Promise<number> {
  // The package's types of a query lack `query_timeout`.
  const query = { text: "select value from state where key = 'revision'", query_timeout: POLL_TIMEOUT_MS }
  const startMs = performance.now()
  let hasFailed = true
  try {
    const { rows } = await pgPool.query<{ value: number }>(query)
    hasFailed = false
    return rows[0]?.value ?? 0
  } finally {
    observeQuery?.({ sql: query.text, durationMs: performance.now() - startMs, hasFailed })
  }
}

async function hasOtherFormat(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ format: string | null }>`
    select obj_description('catalogue'::regnamespace, 'pg_namespace') as format`.execute(queries)
  return rows[0]?.format !== String(CATALOGUE_FORMAT)
}

/** Wraps the dedicated connection of an import as a pool, because all of the import is one transaction. */
function toSingleConnectionPool(poolClient: pg.PoolClient): PostgresPool {
  const pooledClient = {
    query: poolClient.query.bind(poolClient),
    release: () => {},
  }
  // The cast is safe, because Kysely calls only `query` and `release` of a client, and `query` without its other overloads.
  return { connect: async () => pooledClient as never, end: async () => {} }
}

/**
 * Begins an import, which is one transaction from here to `publish`: a pooler in transaction mode (PgBouncer) gives the connection to others after each
 * transaction, and with it locks and temporary tables that last longer.
 */
async function openPostgresStaging(pgPool: pg.Pool, onPublished: () => Promise<void>): Promise<ImportStaging> {
  const poolClient = await pgPool.connect()
  const queries = createPoolQueries(toSingleConnectionPool(poolClient))
  const runStatements = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(queries)
  }
  let isCataloguePublished = false
  const closePool = async () => {
    try {
      if (!isCataloguePublished) await runStatements(['rollback'])
      poolClient.release()
    } catch (error) {
      // A connection that cannot be cleaned up is closed, which ends its transaction.
      poolClient.release(true)
      throw error
    }
  }
  try {
    await runStatements(['begin'])
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${IMPORT_LOCK_ID}) as locked`.execute(queries)
    if (rows[0]?.locked !== true) throw new ImportError('Another import is under way; try again when it has ended.')
    await runStatements([
      'set local client_min_messages = warning',
      // An earlier version may have left the first schema behind, and an import whose replaced catalogue was still read the second one.
      'drop schema if exists catalogue_next cascade',
      `drop schema if exists ${REPLACED_SCHEMA} cascade`,
      'create schema catalogue_next',
      `comment on schema catalogue_next is '${CATALOGUE_FORMAT}'`,
    ])
    await runStatements([
      ...createCatalogueTablesSql('postgres', 'catalogue_next'),
      ...createStagedTablesSql('postgres').map((table) => `${table} on commit drop`),
    ])
  } catch (error) {
    await closePool()
    throw error
  }
  return {
    kind: 'postgres',
    queries,
    isCatalogueOutdated: await hasOtherFormat(queries),
    listColumns: async (tableName) => {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = 'catalogue' and table_name = ${tableName}`.execute(queries)
      return rows.map(({ name }) => name)
    },
    append: async (tableName, stagedRows) => {
      if (stagedRows.length === 0) return
      const tableSql = sql.raw(tableName)
      await sql`insert into ${tableSql} select * from json_populate_recordset(null::${tableSql}, ${JSON.stringify(stagedRows)}::json)`.execute(
        queries,
      )
    },
    indexSongs: async () => {
      await runStatements(searchIndexesSql)
      await runStatements(['songs', 'contexts', 'context_songs', 'artists'].map((table) => `analyze catalogue_next.${table}`))
    },
    publish: async (publishJob) => {
      await waitForBackups(queries, MIGRATION_LOCK_ID)
      await publishJob(queries)
      await bumpRevision(queries)
      await runStatements([...swapCatalogueSql, 'commit'])
      isCataloguePublished = true
      await onPublished()
      await deleteReplacedCatalogue(runStatements)
    },
    close: closePool,
  }
}

/** What is written to a database in the transaction that migrates it. */
export interface DatabaseFilling {
  /** Whether the tables of a newer version are deleted first. Otherwise, a database of a newer version is refused. */
  replacesNewer: boolean
  fill(queries: Queries): Promise<void>
}

/**
 * Creates the database on a connection pool. Closing the database closes the pool. If `filling` fails, nothing was changed.
 * @param queryTimeoutMs the time after which a query fails; undefined: none does. Migrations, `filling` and imports have no limit.
 */
export async function createPostgresDatabase(
  pgPool: pg.Pool,
  observeQuery?: QueryObserver,
  filling?: DatabaseFilling,
  queryTimeoutMs?: number,
): Promise<Database> {
  const queries = createPoolQueries(queryTimeoutMs === undefined ? pgPool : limitQueryTime(pgPool, queryTimeoutMs), observeQuery)
  try {
    await createPoolQueries(pgPool, observeQuery)
      .transaction()
      .execute(async (transaction) => {
        await lockMigrations(transaction)
        if (filling?.replacesNewer === true) await dropNewerTables(transaction)
        await applyMigrations(transaction, 'postgres')
        await markTables(transaction)
        await filling?.fill(transaction)
      })
    const isFormatOutdated = await hasOtherFormat(queries)
    let revision = await readDataRevision(queries)
    let pollPromise: Promise<void> | undefined
    const pollRevision = () => {
      pollPromise ??= pollDataRevision(pgPool, observeQuery)
        .then((currentRevision) => {
          revision = Math.max(revision, currentRevision)
        })
        .catch(() => {
          // An error while polling for changes is ignored, because the next query fails with the same error and reports it.
        })
        .finally(() => {
          pollPromise = undefined
        })
    }
    const refreshRevision = async (readingQueries: Queries) => {
      revision = Math.max(revision, await readDataRevision(readingQueries))
    }
    const timer = setInterval(pollRevision, POLL_MS)
    timer.unref()
    return {
      queries,
      dialect: postgresDialect,
      write: (job) => queries.transaction().execute(job),
      writeWithRevision: async (writeJob) => {
        const jobResult = await queries.transaction().execute(async (transaction) => {
          const result = await writeJob(transaction)
          await bumpRevision(transaction)
          return result
        })
        await refreshRevision(queries)
        return jobResult
      },
      revision: () => revision,
      isOutdated: () => isFormatOutdated,
      // There is nothing to check, because PostgreSQL checks its pages itself and updates its indexes together with the rows.
      findDamage: async () => [],
      openStaging: async () => {
        const staging = await openPostgresStaging(pgPool, () => refreshRevision(staging.queries))
        return staging
      },
      close: async () => {
        clearInterval(timer)
        await pollPromise
        await queries.destroy()
      },
    }
  } catch (error) {
    await pgPool.end()
    throw error
  }
}

export function openPostgres(
  databaseUrl: string,
  observe?: QueryObserver,
  filling?: DatabaseFilling,
  queryTimeoutMs?: number,
): Promise<Database> {
  return createPostgresDatabase(openPool(databaseUrl), observe, filling, queryTimeoutMs)
}
