import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { bumpRevision, type Queries, type StagedTable, type Staging } from '../database.ts'
import { StorageError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { ImportError } from '../storage.ts'
import { catalogueTables, stagedTables } from '../tables.ts'
import { asStorageError, openConnection, type SqliteConnection } from './sqlite-connection.ts'
import { indexSongs, searchTables } from './sqlite-search.ts'
import { beginImmediate, rollBack } from './sqlite-writer.ts'

export const catalogueFile = (dataDir: string, build: number) => join(dataDir, `catalogue-${build}.sqlite`)

/** A lock that the system lets go of when its process ends, however it ends. */
function lockImports(dataDir: string): () => void {
  const lock = new SqliteFile(join(dataDir, 'import.lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    const known = asStorageError(error, join(dataDir, 'import.lock'))
    if (known instanceof StorageError && known.fault === 'busy') {
      throw new ImportError('Another import is under way; try again when it has ended.')
    }
    throw known
  }
  return () => lock.close()
}

/** Removes the builds that are not `current`: leftovers of imports that were cut off, and what the last one replaced. */
function removeOtherBuilds(dataDir: string, current: number): void {
  for (const name of readdirSync(dataDir)) {
    const build = /^catalogue-(\d+)\.sqlite(-journal|-wal|-shm)?$/.exec(name)?.[1]
    if (build !== undefined && Number(build) !== current) rmSync(join(dataDir, name), { force: true })
  }
}

/** What a killed import left behind goes when the next program opens the database, unless another import is at work. */
export function removeLeftovers(dataDir: string, current: number): void {
  try {
    const unlock = lockImports(dataDir)
    removeOtherBuilds(dataDir, current)
    unlock()
  } catch {
    // Another import is under way, or the directory cannot be written; the next import clears up.
  }
}

/** Waits until what was written to `path` (a file or a folder) is on the disk itself. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function appender(connection: SqliteConnection) {
  return (table: StagedTable, rows: readonly Tables[StagedTable][]) => {
    const [first] = rows
    if (first === undefined) return
    const columns = Object.keys(first)
    const insert = connection.statement(
      `insert into temp.${table} (${columns.join(', ')}) values (${columns.map((column) => `@${column}`).join(', ')})`,
    )
    connection.handle.exec('begin')
    for (const row of rows) insert.run(row)
    connection.handle.exec('commit')
  }
}

interface StagingOptions {
  dataDir: string
  file: string
  attach: (connection: SqliteConnection) => number
  onPublished: () => void
}

/**
 * The next catalogue is a file of its own, so building it takes no lock that a writer waits for; publishing it is one small
 * transaction that says which file is current. Until then nothing refers to it, so it needs no journal.
 */
export function openSqliteStaging({ dataDir, file, attach, onPublished }: StagingOptions): Staging {
  const unlock = lockImports(dataDir)
  let connection: SqliteConnection | undefined
  let build = 0
  const open = (): SqliteConnection => {
    const opened = openConnection(file, 5_000)
    connection = opened
    const current = attach(opened)
    removeOtherBuilds(dataDir, current)
    build = current + 1
    opened.handle.pragma('temp_store = file')
    opened.handle.pragma('temp.cache_size = -32000')
    opened.handle.prepare('attach ? as catalogue_next').run(catalogueFile(dataDir, build))
    opened.handle.pragma('catalogue_next.journal_mode = off')
    opened.handle.pragma('catalogue_next.synchronous = off')
    opened.handle.pragma('catalogue_next.cache_size = -48000')
    const statements = [...catalogueTables('sqlite', 'catalogue_next'), ...searchTables('catalogue_next'), ...stagedTables('sqlite')]
    for (const statement of statements) opened.handle.exec(statement)
    return opened
  }
  const discard = () => {
    connection?.close()
    connection = undefined
    if (build > 0) rmSync(catalogueFile(dataDir, build), { force: true })
    unlock()
  }
  try {
    const opened = open()
    const append = appender(opened)
    let published = false
    const run = async <T>(work: () => Promise<T> | T): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw asStorageError(error, file)
      }
    }
    return {
      kind: 'sqlite',
      queries: opened.queries,
      append: (table, rows) => run(() => append(table, rows)),
      indexSongs: (songCount) => run(() => indexSongs(opened, songCount)),
      publish: (job: (queries: Queries) => Promise<void>) =>
        run(async () => {
          // A transaction that may write takes a lock on every attached file, and readers keep theirs on `catalogue`.
          opened.forgetStatements()
          opened.handle.exec('detach catalogue; detach catalogue_next')
          flush(catalogueFile(dataDir, build))
          flush(dataDir)
          await beginImmediate(opened, file)
          try {
            await job(opened.queries)
            await opened.queries.updateTable('state').set({ value: build }).where('key', '=', 'catalogue').execute()
            await bumpRevision(opened.queries)
            opened.handle.exec('commit')
          } catch (error) {
            rollBack(opened)
            throw error
          }
          published = true
          onPublished()
        }),
      close: async () => {
        if (!published) return discard()
        opened.close()
        removeOtherBuilds(dataDir, build)
        unlock()
      },
    }
  } catch (error) {
    discard()
    throw asStorageError(error, file)
  }
}
