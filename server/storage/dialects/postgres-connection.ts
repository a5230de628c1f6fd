import { connect } from 'node:net'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { createQueryLogOption, type QueryObserver } from '../database.ts'
import { StorageError, type StorageFault } from '../errors.ts'
import type { Tables } from '../schema.ts'

/** The PostgreSQL types whose values are returned as numbers. All counts, sums and times of this schema are below 2^53. */
const numberTypes: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

/** The parsers of PostgreSQL types that every connection uses. */
export const pgTypeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => (numberTypes.includes(oid) ? Number : pg.types.getTypeParser(oid, 'text')),
}

const faultsByCode: readonly (readonly [RegExp, StorageFault, string])[] = [
  [/^53100$/, 'full', "The database server's disk is full: nothing of this change was kept."],
  [/^25006$/, 'read-only', 'The database server is read-only.'],
  [/^(XX001|XX002)$/, 'corrupt', 'The database is damaged; restore it from a backup.'],
  [/^(28\w{3})$/, 'unreachable', 'The database server refuses the user or password of DATABASE_URL.'],
  [/^3D000$/, 'unreachable', 'The database that DATABASE_URL names does not exist.'],
  [
    /^(ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|EPROTO|57P\d\d|08\w{3}|53300)$/,
    'unreachable',
    'The database server cannot be reached.',
  ],
  [/^55P03$/, 'busy', 'The database is locked by another process.'],
  // A deadlock, or a conflict of transactions. The transaction that PostgreSQL chose to end has stored nothing and can be repeated.
  [/^(40P01|40001)$/, 'busy', 'The database has ended this change in favour of another one; try again.'],
]

/** The driver's message of a query that takes longer than its `query_timeout`. */
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout'

/** The messages of the driver's own errors, which have no code. */
const connectionFailures =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|There was an error establishing|The server does not support SSL)/

/** Converts a driver error to a StorageError by its SQLSTATE or system error code. Returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const errorCode = 'code' in error ? String(error.code) : ''
  const storageFault = faultsByCode.find(([pattern]) => pattern.test(errorCode))
  if (storageFault !== undefined) return new StorageError(storageFault[1], storageFault[2], { cause: error })
  if (connectionFailures.test(error.message)) {
    return new StorageError('unreachable', 'The database server cannot be reached.', { cause: error })
  }
  return error
}

async function mapStorageErrors<T>(workPromise: Promise<T>): Promise<T> {
  try {
    return await workPromise
  } catch (error) {
    throw toStorageError(error)
  }
}

class ErrorMappingConnection implements DatabaseConnection {
  constructor(readonly inner: DatabaseConnection) {}
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return mapStorageErrors(this.inner.executeQuery<R>(query))
  }
  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize)
  }
}

class ErrorMappingDriver implements Driver {
  constructor(private readonly inner: Driver) {}
  init = () => this.inner.init()
  acquireConnection = async () => new ErrorMappingConnection(await mapStorageErrors(this.inner.acquireConnection()))
  beginTransaction = (connection: DatabaseConnection, settings: TransactionSettings) =>
    mapStorageErrors(this.inner.beginTransaction(this.unwrap(connection), settings))
  commitTransaction = (connection: DatabaseConnection) => mapStorageErrors(this.inner.commitTransaction(this.unwrap(connection)))
  rollbackTransaction = (connection: DatabaseConnection) => mapStorageErrors(this.inner.rollbackTransaction(this.unwrap(connection)))
  releaseConnection = (connection: DatabaseConnection) => this.inner.releaseConnection(this.unwrap(connection))
  destroy = () => this.inner.destroy()
  private unwrap(connection: DatabaseConnection): DatabaseConnection {
    return connection instanceof ErrorMappingConnection ? connection.inner : connection
  }
}

const CONNECT_TIMEOUT_MS = 10_000
/** The time without traffic after which a connection is probed. The default of Linux is 2 hours. */
const KEEP_ALIVE_DELAY_MS = 10_000

/** Opens a connection pool. If a connection fails, only the query that uses it is rejected. */
export function openPool(databaseUrl: string, connectionTimeoutMillis = CONNECT_TIMEOUT_MS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types: pgTypeParsers,
    connectionTimeoutMillis,
    max: 10,
    // Enables TCP keep-alive probes. Without them, a query would wait forever if the machine of the database server has disappeared.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  })
  // The pool replaces idle connections that fail. The next query reports a persistent error.
  pool.on('error', () => {})
  // If a connection fails between two queries of a transaction, it emits an `error` event. Without this listener, the event would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The code of a request to cancel a query, and how long it may take to send one. */
const CANCEL_REQUEST_CODE = 80_877_102
const CANCEL_TIMEOUT_MS = 5000

/**
 * Asks PostgreSQL, over a connection of its own, to cancel the running query of a client (PostgreSQL's manual, "Canceling Requests in Progress"). Otherwise a
 * query that waits for a lock would go on after its connection was closed. If the database cannot be reached, nothing happens.
 */
function requestCancel(pgPool: pg.Pool, poolClient: pg.PoolClient): void {
  // The package's types lack the keys of a session.
  const [processId, secretKey] = ['processID', 'secretKey'].map((name) => Number(Reflect.get(poolClient, name)))
  if (!Number.isInteger(processId) || !Number.isInteger(secretKey)) return
  const { host, port } = new pg.Client(pgPool.options)
  const message = Buffer.alloc(16)
  for (const [index, value] of [message.length, CANCEL_REQUEST_CODE, processId ?? 0, secretKey ?? 0].entries())
    message.writeInt32BE(value, 4 * index)
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  socket.on('error', () => {})
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy())
  socket.end(message)
}

/**
 * Limits the time of each query. A connection whose query takes longer is closed, because the machine of the database server may have vanished, which TCP
 * notices only after about 15 minutes while something is being sent. PostgreSQL is asked to cancel the query, which may be carried out all the same, as
 * may a commit.
 */
export function limitQueryTime(pgPool: pg.Pool, queryTimeoutMs: number): PostgresPool {
  async function connectLimited() {
    const poolClient = await pgPool.connect()
    let failure: unknown
    return {
      query: async (text: string, values: unknown[]) => {
        // A rollback after a query that took too long would wait as long again.
        if (failure !== undefined) throw failure
        // The package's types of a query lack `query_timeout`.
        const query = { text, values, query_timeout: queryTimeoutMs }
        try {
          return await poolClient.query(query)
        } catch (error) {
          if (error instanceof Error && error.message === QUERY_TIMEOUT_MESSAGE) {
            failure = error
            requestCancel(pgPool, poolClient)
          }
          throw error
        }
      },
      release: () => poolClient.release(failure !== undefined),
    }
  }
  // The cast is safe, because Kysely calls only `query` and `release` of a client, and `query` without its other overloads.
  return { connect: async () => (await connectLimited()) as never, end: () => pgPool.end() }
}

/** Creates a query builder on a connection pool whose errors are converted to `StorageError`. */
export function createPoolQueries(pool: PostgresPool, observeQuery?: QueryObserver): Kysely<Tables> {
  const plainDialect = new PostgresDialect({ pool })
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ErrorMappingDriver(plainDialect.createDriver()),
    createIntrospector: (db) => plainDialect.createIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return new Kysely<Tables>({ dialect, ...createQueryLogOption(observeQuery) })
}
