import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { catalogueTablesSql, stagedTablesSql } from '../catalogue-tables.ts'
import { bumpRevision, type ImportStaging, type Queries, type StagedTable } from '../database.ts'
import { ImportError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { asStorageError, openConnection, type SqliteConnection } from './sqlite-connection.ts'
import { catalogueFile, createPrivateFile } from './sqlite-files.ts'
import { takeFileLock } from './sqlite-lock.ts'
import { indexSongs, isCatalogueOutdated, searchTablesSql } from './sqlite-search.ts'
import { beginImmediate, rollBack } from './sqlite-writer.ts'

/** Locks imports across processes. Returns a function that unlocks. */
function lockImports(dataDir: string): () => void {
  const unlock = takeFileLock(join(dataDir, 'import.lock'))
  if (unlock === undefined) throw new ImportError('Another import is under way; try again when it has ended.')
  return unlock
}

/** Deletes all catalogue builds except `currentBuildNumber`: remains of interrupted imports, and the build replaced by the last import. */
function removeOtherBuilds(dataDir: string, currentBuildNumber: number): void {
  for (const name of readdirSync(dataDir)) {
    const buildText = /^catalogue-(\d+)\.sqlite(-journal|-wal|-shm)?$/.exec(name)?.[1]
    if (buildText !== undefined && Number(buildText) !== currentBuildNumber) rmSync(join(dataDir, name), { force: true })
  }
}

/** Deletes the remains of interrupted imports when the database is opened. Does nothing while another import runs. */
export function deleteAbandonedBuilds(dataDir: string, currentBuildNumber: number): void {
  try {
    const unlock = lockImports(dataDir)
    removeOtherBuilds(dataDir, currentBuildNumber)
    unlock()
  } catch {
    // The deletion fails if another import is running or the directory is read-only. The next import repeats it.
  }
}

/** Flushes a file or directory to disk (fsync). */
function syncToDisk(filePath: string): void {
  const descriptor = openSync(filePath, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function createAppender(connection: SqliteConnection) {
  return (table: StagedTable, rows: readonly Tables[StagedTable][]) => {
    const [firstRow] = rows
    if (firstRow === undefined) return
    const columns = Object.keys(firstRow)
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
  filePath: string
  attachCatalogue: (connection: SqliteConnection) => number
  onPublished: () => void
}

/**
 * Opens a staging connection. The next catalogue is written to a file of its own, so that writers of the main file are not locked out. The
 * catalogue is published by a short transaction that stores its build number. The file has no journal, because nothing reads it before it
 * is published.
 */
export function openSqliteStaging({ dataDir, filePath, attachCatalogue: attach, onPublished }: StagingOptions): ImportStaging {
  const unlock = lockImports(dataDir)
  let connection: SqliteConnection | undefined
  let build = 0
  const openStagingConnection = (): SqliteConnection => {
    const openedConnection = openConnection(filePath, 5_000)
    connection = openedConnection
    const currentBuildNumber = attach(openedConnection)
    removeOtherBuilds(dataDir, currentBuildNumber)
    build = currentBuildNumber + 1
    openedConnection.handle.pragma('temp_store = file')
    openedConnection.handle.pragma('temp.cache_size = -32000')
    createPrivateFile(catalogueFile(dataDir, build))
    openedConnection.handle.prepare('attach ? as catalogue_next').run(catalogueFile(dataDir, build))
    openedConnection.handle.pragma('catalogue_next.journal_mode = off')
    openedConnection.handle.pragma('catalogue_next.synchronous = off')
    openedConnection.handle.pragma('catalogue_next.cache_size = -48000')
    const statements = [
      ...catalogueTablesSql('sqlite', 'catalogue_next'),
      ...searchTablesSql('catalogue_next'),
      ...stagedTablesSql('sqlite'),
    ]
    for (const statement of statements) openedConnection.handle.exec(statement)
    return openedConnection
  }
  const discardStaging = () => {
    connection?.close()
    connection = undefined
    if (build > 0) rmSync(catalogueFile(dataDir, build), { force: true })
    unlock()
  }
  try {
    const openedConnection = openStagingConnection()
    const append = createAppender(openedConnection)
    let isPublished = false
    const withStorageErrors = async <T>(work: () => Promise<T> | T): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw asStorageError(error, filePath)
      }
    }
    return {
      kind: 'sqlite',
      queries: openedConnection.queries,
      isOutdated: isCatalogueOutdated(openedConnection),
      listColumns: (table) =>
        withStorageErrors(() =>
          openedConnection.statement("select name from pragma_table_info(?, 'catalogue')").pluck().all(table).map(String),
        ),
      append: (table, rows) => withStorageErrors(() => append(table, rows)),
      indexSongs: (songCount) => withStorageErrors(() => indexSongs(openedConnection, songCount)),
      publish: (job: (queries: Queries) => Promise<void>) =>
        withStorageErrors(async () => {
          // A write transaction locks every attached file, and readers hold shared locks on `catalogue`.
          openedConnection.forgetStatements()
          openedConnection.handle.exec('detach catalogue; detach catalogue_next')
          syncToDisk(catalogueFile(dataDir, build))
          syncToDisk(dataDir)
          await beginImmediate(openedConnection, filePath)
          try {
            await job(openedConnection.queries)
            await openedConnection.queries.updateTable('state').set({ value: build }).where('key', '=', 'catalogue').execute()
            await bumpRevision(openedConnection.queries)
            openedConnection.handle.exec('commit')
          } catch (error) {
            rollBack(openedConnection)
            throw error
          }
          isPublished = true
          onPublished()
        }),
      close: async () => {
        if (!isPublished) return discardStaging()
        openedConnection.close()
        removeOtherBuilds(dataDir, build)
        unlock()
      },
    }
  } catch (error) {
    discardStaging()
    throw asStorageError(error, filePath)
  }
}
