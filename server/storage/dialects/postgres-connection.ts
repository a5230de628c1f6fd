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
import { StorageError, type StorageFault } from '../errors.ts'
import type { Tables } from '../schema.ts'

/** Counts, sums and times come as numbers: all of ours are far below 2^53. */
const numberTypes: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]

/** How every connection of this program reads values. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => (numberTypes.includes(oid) ? Number : pg.types.getTypeParser(oid, 'text')),
}

const faults: readonly (readonly [RegExp, StorageFault, string])[] = [
  [/^53100$/, 'full', "The database server's disk is full: nothing of this change was kept."],
  [/^25006$/, 'read-only', 'The database server is read-only.'],
  [/^(XX001|XX002)$/, 'corrupt', 'The database is damaged; restore it from a backup.'],
  [/^(28\w{3})$/, 'unreachable', 'The database server refuses the user or password of DATABASE_URL.'],
  [/^3D000$/, 'unreachable', 'The database that DATABASE_URL names does not exist.'],
  [
    /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|57P\d\d|08\w{3}|53300)$/,
    'unreachable',
    'The database server cannot be reached.',
  ],
  [/^55P03$/, 'busy', 'The database is locked by another process.'],
]

/** An error of the driver in our terms; anything else stays what it is. */
export function asStorageError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const fault = faults.find(([pattern]) => pattern.test(code))
  if (fault !== undefined) return new StorageError(fault[1], fault[2], { cause: error })
  if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)) {
    return new StorageError('unreachable', 'The database server cannot be reached.', { cause: error })
  }
  return error
}

async function mapped<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asStorageError(error)
  }
}

class MappedConnection implements DatabaseConnection {
  constructor(readonly inner: DatabaseConnection) {}
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return mapped(this.inner.executeQuery<R>(query))
  }
  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize)
  }
}

class MappedDriver implements Driver {
  constructor(private readonly inner: Driver) {}
  init = () => this.inner.init()
  acquireConnection = async () => new MappedConnection(await mapped(this.inner.acquireConnection()))
  beginTransaction = (connection: DatabaseConnection, settings: TransactionSettings) =>
    mapped(this.inner.beginTransaction(this.unwrap(connection), settings))
  commitTransaction = (connection: DatabaseConnection) => mapped(this.inner.commitTransaction(this.unwrap(connection)))
  rollbackTransaction = (connection: DatabaseConnection) => mapped(this.inner.rollbackTransaction(this.unwrap(connection)))
  releaseConnection = (connection: DatabaseConnection) => this.inner.releaseConnection(this.unwrap(connection))
  destroy = () => this.inner.destroy()
  private unwrap(connection: DatabaseConnection): DatabaseConnection {
    return connection instanceof MappedConnection ? connection.inner : connection
  }
}

/** Queries over the connections of `pool`; their failures are `StorageError`s. */
export function queriesOver(pool: PostgresPool): Kysely<Tables> {
  const plain = new PostgresDialect({ pool })
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new MappedDriver(plain.createDriver()),
    createIntrospector: (db) => plain.createIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return new Kysely<Tables>({ dialect })
}
