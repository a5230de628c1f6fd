import type { Database as SqliteHandle, Statement } from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createQueryLogOption, type QueryObserver } from '../database.ts'
import { StorageError } from '../errors.ts'
import { setSynchronousRunner } from '../prepare-query.ts'
import type { Tables } from '../schema.ts'
import { SqliteFile } from '../sqlite-driver.ts'

const MAX_CACHED_STATEMENTS = 500

/** A connection to an SQLite file, with a cache of prepared statements. */
export interface SqliteConnection {
  readonly handle: SqliteHandle
  readonly queries: Kysely<Tables>
  /** Returns the prepared statement of an SQL text, from the cache if present. */
  statement(text: string): Statement
  /** Clears the statement cache. Required after another file was attached under the same schema name. */
  forgetStatements(): void
  close(): void
}

/** Converts an SQLite error to a StorageError. Returns other errors unchanged. */
export function toStorageError(error: unknown, filePath: string): unknown {
  if (!(error instanceof SqliteFile.SqliteError)) return error
  const { code } = error
  const errorOptions = { cause: error }
  if (code.startsWith('SQLITE_READONLY'))
    return new StorageError('read-only', `DATA_DIR cannot be written: ${filePath} is read-only.`, errorOptions)
  if (code.startsWith('SQLITE_FULL') || code === 'SQLITE_IOERR_WRITE') {
    return new StorageError(
      'full',
      `The disk of DATA_DIR is full: ${filePath} cannot grow, and nothing of this change was kept.`,
      errorOptions,
    )
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new StorageError('corrupt', `The database ${filePath} is damaged (${error.message}); restore it from a backup.`, errorOptions)
  }
  if (code.startsWith('SQLITE_CANTOPEN'))
    return new StorageError('unreachable', `DATA_DIR cannot be used: ${filePath} cannot be opened.`, errorOptions)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new StorageError('busy', `The database ${filePath} is locked by another process.`, errorOptions)
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new StorageError('failed', `DATA_DIR cannot be used: ${filePath} cannot be read or written (${code}).`, errorOptions)
  }
  return error
}

class SyncConnection implements DatabaseConnection {
  constructor(private readonly run: (query: CompiledQuery) => QueryResult<unknown>) {}
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // The cast is unavoidable, because Kysely does not check that rows have the declared types.
    return this.run(query) as QueryResult<R>
  }
  // biome-ignore lint/correctness/useYield: the driver has no streaming, and says so
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not offered; read in pages.')
  }
}

const refuseUnsupported = async (): Promise<never> => {
  throw new Error('Transactions go through Database.write.')
}

/**
 * Compiles queries for SQLite. A limit is compiled as a sum, because SQLite compiles a statement again at each execution if its limit is a
 * parameter alone: it would plan for the value of that limit.
 */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    this.append(' + 0')
  }
}

function createDialect(connection: DatabaseConnection): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuseUnsupported,
    commitTransaction: refuseUnsupported,
    rollbackTransaction: refuseUnsupported,
    destroy: async () => {},
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  }
}

/** The column names of each statement that has returned rows. */
const columnNamesByStatement = new WeakMap<Statement, readonly string[]>()

/**
 * Returns the rows of a statement as objects. Creates them from arrays, because better-sqlite3 itself takes half as long again: it looks up the name of
 * each column for each row.
 */
function readRows(statement: Statement, statementParameters: readonly unknown[]): unknown[] {
  // The cast is safe, because a raw statement returns arrays.
  const rowValues = statement.raw().all(statementParameters) as unknown[][]
  let statementColumns = columnNamesByStatement.get(statement)
  // A statement has more columns than before if another process has added one to the table of a `select *`.
  if (statementColumns === undefined || (rowValues[0] !== undefined && rowValues[0].length !== statementColumns.length)) {
    statementColumns = statement.columns().map(({ name }) => name)
    columnNamesByStatement.set(statement, statementColumns)
  }
  return rowValues.map((columnValues) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < statementColumns.length; index++) row[statementColumns[index] ?? ''] = columnValues[index]
    return row
  })
}

/** Opens an SQLite file. `timeoutMs` is the maximum time for which a query waits for a lock, which blocks the process. */
export function openConnection(filePath: string, timeoutMs: number, observeQuery?: QueryObserver): SqliteConnection {
  let handle: SqliteHandle
  try {
    handle = new SqliteFile(filePath, { timeout: timeoutMs })
  } catch (error) {
    throw toStorageError(error, filePath)
  }
  const statementByText = new Map<string, Statement>()

  function prepareStatement(sqlText: string): Statement {
    const cachedStatement = statementByText.get(sqlText)
    if (cachedStatement !== undefined) return cachedStatement
    const preparedStatement = handle.prepare(sqlText)
    if (statementByText.size >= MAX_CACHED_STATEMENTS) {
      const oldestText = statementByText.keys().next().value
      if (oldestText !== undefined) statementByText.delete(oldestText)
    }
    statementByText.set(sqlText, preparedStatement)
    return preparedStatement
  }

  function runQuery(query: CompiledQuery): QueryResult<unknown> {
    try {
      const preparedStatement = prepareStatement(query.sql)
      if (preparedStatement.reader) return { rows: readRows(preparedStatement, query.parameters) }
      const { changes } = preparedStatement.run(query.parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    } catch (error) {
      throw toStorageError(error, filePath)
    }
  }

  const queries = new Kysely<Tables>({ dialect: createDialect(new SyncConnection(runQuery)), ...createQueryLogOption(observeQuery) })
  // With an observer, queries run through Kysely, which calls the observer.
  if (observeQuery === undefined) setSynchronousRunner(queries, runQuery)
  return {
    handle,
    queries,
    statement: prepareStatement,
    forgetStatements: () => statementByText.clear(),
    close: () => handle.close(),
  }
}
