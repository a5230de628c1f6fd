import SqliteFile, { type Database as SqliteHandle, type Statement } from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { StorageError } from '../errors.ts'
import type { Tables } from '../schema.ts'

const STATEMENTS_KEPT = 500

/** One connection to an SQLite file, with its statements kept prepared. */
export interface SqliteConnection {
  readonly handle: SqliteHandle
  readonly queries: Kysely<Tables>
  /** The prepared statement of `text`, kept for the next time. */
  statement(text: string): Statement
  /** Forgets all prepared statements: needed when a schema of the same name now means another file. */
  forgetStatements(): void
  close(): void
}

/** An error of the SQLite library in our terms; anything else stays what it is. */
export function asStorageError(error: unknown, file: string): unknown {
  if (!(error instanceof SqliteFile.SqliteError)) return error
  const { code } = error
  const options = { cause: error }
  if (code.startsWith('SQLITE_READONLY')) return new StorageError('read-only', `DATA_DIR cannot be written: ${file} is read-only.`, options)
  if (code.startsWith('SQLITE_FULL') || code === 'SQLITE_IOERR_WRITE') {
    return new StorageError('full', `The disk of DATA_DIR is full: ${file} cannot grow, and nothing of this change was kept.`, options)
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new StorageError('corrupt', `The database ${file} is damaged (${error.message}); restore it from a backup.`, options)
  }
  if (code.startsWith('SQLITE_CANTOPEN'))
    return new StorageError('unreachable', `DATA_DIR cannot be used: ${file} cannot be opened.`, options)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new StorageError('busy', `The database ${file} is locked by another process.`, options)
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new StorageError('failed', `DATA_DIR cannot be used: ${file} cannot be read or written (${code}).`, options)
  }
  return error
}

class SyncConnection implements DatabaseConnection {
  constructor(private readonly run: (query: CompiledQuery) => QueryResult<unknown>) {}
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Kysely's types of a query's rows are claims about the database; here, at the driver, is where they are made.
    return this.run(query) as QueryResult<R>
  }
  // biome-ignore lint/correctness/useYield: the driver has no streaming, and says so
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not offered; read in pages.')
  }
}

const refuse = async (): Promise<never> => {
  throw new Error('Transactions go through Database.write.')
}

function dialectOver(connection: DatabaseConnection): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Opens `file`. The library is synchronous: `timeoutMs` is how long a query may hold the process to wait for a lock. */
export function openConnection(file: string, timeoutMs: number): SqliteConnection {
  let handle: SqliteHandle
  try {
    handle = new SqliteFile(file, { timeout: timeoutMs })
  } catch (error) {
    throw asStorageError(error, file)
  }
  const statements = new Map<string, Statement>()

  function statement(text: string): Statement {
    const known = statements.get(text)
    if (known !== undefined) return known
    const prepared = handle.prepare(text)
    if (statements.size >= STATEMENTS_KEPT) {
      const oldest = statements.keys().next().value
      if (oldest !== undefined) statements.delete(oldest)
    }
    statements.set(text, prepared)
    return prepared
  }

  function run(query: CompiledQuery): QueryResult<unknown> {
    try {
      const prepared = statement(query.sql)
      if (prepared.reader) return { rows: prepared.all(query.parameters) }
      const { changes } = prepared.run(query.parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    } catch (error) {
      throw asStorageError(error, file)
    }
  }

  return {
    handle,
    queries: new Kysely<Tables>({ dialect: dialectOver(new SyncConnection(run)) }),
    statement,
    forgetStatements: () => statements.clear(),
    close: () => handle.close(),
  }
}
