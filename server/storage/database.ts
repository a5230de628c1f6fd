import type { Kysely, KyselyConfig, RawBuilder } from 'kysely'
import type { Tables } from './schema.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** The SQL types that differ between the databases. The collation "C" makes PostgreSQL order texts by code points, as SQLite does. */
export const sqlTypes = {
  sqlite: { kind: 'sqlite', text: 'text', real: 'real' },
  postgres: { kind: 'postgres', text: 'text collate "C"', real: 'double precision' },
} as const
export type SqlTypes = (typeof sqlTypes)[DatabaseKind]

export type Queries = Kysely<Tables>

/** Called after each query. `sql` is the text of the query without its values. */
export type QueryObserver = (query: { sql: string; durationMs: number; hasFailed: boolean }) => void

/** Returns the option with which Kysely calls `observeQuery` after each query. Without `observeQuery`, the option is empty, and Kysely measures nothing. */
export const createQueryLogOption = (observeQuery: QueryObserver | undefined): Pick<KyselyConfig, 'log'> =>
  observeQuery === undefined
    ? {}
    : {
        log: ({ query, queryDurationMillis, level }) =>
          observeQuery({ sql: query.sql, durationMs: queryDurationMillis, hasFailed: level === 'error' }),
      }
export type StagedTable = Extract<keyof Tables, `staged_${string}`>

/** A text search by folded words (`foldText`). Every word must match. */
export interface TextSearch {
  words: readonly string[]
  artistOnly: boolean
  orderBy: 'title' | 'date_added'
  direction: 'ASC' | 'DESC'
  limit: number
  offset: number
  /** The folded name of an author whose songs are excluded. */
  excludedAuthor?: string
}

/** Searches the names of artists, or the titles of playlists, for folded words. Every word must match. */
export interface NameSearch {
  table: 'artists' | 'playlists'
  words: readonly string[]
  limit: number
}

/** SQL that differs between SQLite and PostgreSQL. */
export interface Dialect {
  /** Returns the value of a parameter of `listOfNumbers`. */
  serializeNumberList(values: readonly number[]): string
  /** Returns a subquery of numbers for the right side of `in`. All numbers are one parameter, so that the statement text does not depend on their number. */
  listOfNumbers(list: RawBuilder<string>): RawBuilder<unknown>
  /** Returns a subquery of text values for the right side of `in`, with all values as one parameter. */
  listOfTexts(values: readonly string[]): RawBuilder<unknown>
  /** Returns the ranks of the matching songs in the requested order. */
  searchRanks(queries: Queries, search: TextSearch): Promise<number[]>
  /** Returns the numbers (`no`) of the matching artists or playlists in ascending order. */
  searchNames(queries: Queries, search: NameSearch): Promise<number[]>
  /**
   * Waits until no other transaction holds one of the names, and holds them until the end of the current transaction, in all processes. In SQLite,
   * write transactions never overlap anyway.
   */
  lock(queries: Queries, names: readonly string[]): Promise<void>
  /** Takes the lock like `lock`, but returns false instead of waiting. */
  tryLock(queries: Queries, name: string): Promise<boolean>
}

/** A catalogue under construction. Only one can be open at a time, across all processes. */
export interface ImportStaging {
  readonly kind: DatabaseKind
  /** Queries that see the main tables, `catalogue`, `catalogue_next` and the connection's temporary staging tables. */
  readonly queries: Queries
  /** Returns the names of the columns that a table of `catalogue` has. */
  listColumns(table: 'songs' | 'contexts'): Promise<readonly string[]>
  append<T extends StagedTable>(table: T, rows: readonly Tables[T][]): Promise<void>
  /** Whether the current catalogue was built by another version of the program. */
  readonly isCatalogueOutdated: boolean
  /** Builds the search index of `catalogue_next` for `Dialect.searchRanks`. Called after all songs are inserted. */
  indexSongs(songCount: number): Promise<void>
  /** Replaces `catalogue` with `catalogue_next` in one short transaction, which also runs `job`. */
  publish(job: (queries: Queries) => Promise<void>): Promise<void>
  /** Discards the catalogue unless it was published, and releases the import lock. */
  close(): Promise<void>
}

/** An open SQLite or PostgreSQL database. Failures of the database are thrown as `StorageError`. */
export interface Database {
  /** Queries outside of transactions, which see committed rows only. */
  readonly queries: Queries
  readonly dialect: Dialect
  /** Runs `job` in a transaction and resolves after a durable commit. `job` is repeated only after its transaction was rolled back. */
  write<T>(job: (queries: Queries) => Promise<T>): Promise<T>
  /** Like `write`, for rows on which cached responses depend: when the promise resolves, `revision` has changed. */
  writeWithRevision<T>(job: (queries: Queries) => Promise<T>): Promise<T>
  /** Returns a number that changes when the catalogue or the settings change (see `Storage.revision`). */
  revision(): number
  /** Returns true if the catalogue was built by another version of the program and must therefore be rebuilt from its own rows. */
  isOutdated(): boolean
  /** Checks the database's files and the search index, and returns a list of damages, one line each. */
  findDamage(): Promise<string[]>
  /** Opens the staging connection of an import. @throws ImportError if another import is running */
  openStaging(): Promise<ImportStaging>
  close(): Promise<void>
}

/**
 * Waits until other transactions that have called this function have ended, so that this transaction sees their rows. In SQLite, write transactions
 * never overlap anyway.
 */
export async function serialiseTransactions(queries: Queries): Promise<void> {
  await queries
    .updateTable('state')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('key', '=', 'revision')
    .execute()
}

/** Increments the revision. Called in the transaction that changes rows that cached responses depend on. */
export async function bumpRevision(queries: Queries): Promise<void> {
  await queries
    .updateTable('state')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('key', '=', 'revision')
    .execute()
}

/**
 * Raises the revision above `revision`, its stored value, and every value that a process has read before the data were replaced by older ones. It grows by
 * less than one a second on average, so that the seconds since 1970 are above all of them.
 */
export async function raiseRevision(queries: Queries, revision = 0): Promise<void> {
  const row = await queries.selectFrom('state').select('value').where('key', '=', 'revision').executeTakeFirstOrThrow()
  const value = Math.max(row.value, revision, Math.floor(Date.now() / 1000)) + 1
  await queries.updateTable('state').set({ value }).where('key', '=', 'revision').execute()
}
