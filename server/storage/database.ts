import type { Kysely, RawBuilder } from 'kysely'
import type { Tables } from './schema.ts'
import type { DatabaseKind } from './tables.ts'

export type Queries = Kysely<Tables>
export type StagedTable = Extract<keyof Tables, `staged_${string}`>

/** A text search whose words are folded; every word must match. */
export interface TextSearch {
  words: readonly string[]
  artistOnly: boolean
  orderBy: 'title' | 'date_added'
  direction: 'ASC' | 'DESC'
  limit: number
  offset: number
  /** A folded author name whose songs are left out. */
  exceptAuthor?: string
}

/** What differs between the databases. */
export interface Dialect {
  /** The values as what stands after `in`: one parameter, so that the statement is the same for any number of them. */
  listOf(values: readonly number[]): RawBuilder<unknown>
  /** The same of texts. */
  listOfTexts(values: readonly string[]): RawBuilder<unknown>
  /** The ranks of the songs that match, in the order asked for. */
  searchRanks(queries: Queries, search: TextSearch): Promise<number[]>
}

/** A catalogue that is being built beside the current one. Only one can be open at a time, over all processes. */
export interface Staging {
  readonly kind: DatabaseKind
  /** Sees the main tables, `catalogue`, `catalogue_next`, and temporary tables of its own. */
  readonly queries: Queries
  append<T extends StagedTable>(table: T, rows: readonly Tables[T][]): Promise<void>
  /** Indexes the songs of `catalogue_next` for `Dialect.searchRanks`; called once they are all there. */
  indexSongs(songCount: number): Promise<void>
  /** Makes `catalogue_next` the catalogue, in one short transaction together with `job`. */
  publish(job: (queries: Queries) => Promise<void>): Promise<void>
  /** Drops what was not published, and lets the next import begin. */
  close(): Promise<void>
}

/** A database of either kind. Every failure that is not a bug is a `StorageError`. */
export interface Database {
  /** Sees what is committed; each query stands alone. */
  readonly queries: Queries
  readonly dialect: Dialect
  /** Runs `job` in a transaction and resolves once that is durable. `job` may run again only if nothing of it was kept. */
  write<T>(job: (queries: Queries) => Promise<T>): Promise<T>
  /** As `write`, for what answers are cached from: `revision` has changed once it resolves. */
  writeRevised<T>(job: (queries: Queries) => Promise<T>): Promise<T>
  /** See `Storage.revision`. */
  revision(): number
  /** Whether the catalogue was built by an older program, and is to be built anew from itself. */
  isOutdated(): boolean
  /** @throws ImportError where an import is under way */
  openStaging(): Promise<Staging>
  close(): Promise<void>
}

/** Part of a transaction that changes what answers are cached from. */
export async function bumpRevision(queries: Queries): Promise<void> {
  await queries
    .updateTable('state')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('key', '=', 'revision')
    .execute()
}
