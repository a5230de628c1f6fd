import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createCatalogueTablesSql, createStagedTablesSql } from '../catalogue-tables.ts'
import { bumpRevision, type ImportStaging, type Queries, type StagedTable } from '../database.ts'
import { ImportError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { openConnection, type SqliteConnection, toStorageError } from './sqlite-connection.ts'
import { createCataloguePath, createPrivateFile } from './sqlite-files.ts'
import { takeFileLock } from './sqlite-lock.ts'
import { createSearchIndexSql, indexSongs, isCatalogueOutdated } from './sqlite-search.ts'
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
  const fileDescriptor = openSync(filePath, 'r')
  try {
    fsyncSync(fileDescriptor)
  } finally {
    closeSync(fileDescriptor)
  }
}

function createRowAppender(connection: SqliteConnection) {
  return (table: StagedTable, stagedRows: readonly Tables[StagedTable][]) => {
    const [firstRow] = stagedRows
    if (firstRow === undefined) return
    const columnNames = Object.keys(firstRow)
    const insertStatement = connection.statement(
      `insert into temp.${table} (${columnNames.join(', ')}) values (${columnNames.map((column) => `@${column}`).join(', ')})`,
    )
    connection.handle.exec('begin')
    for (const row of stagedRows) insertStatement.run(row)
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
export function openSqliteStaging({ dataDir, filePath, attachCatalogue: attachBuild, onPublished }: StagingOptions): ImportStaging {
  const releaseLock = lockImports(dataDir)
  let connection: SqliteConnection | undefined
  let buildNumber = 0
  const openStagingConnection = (): SqliteConnection => {
    const openedConnection = openConnection(filePath, 5_000)
    connection = openedConnection
    const currentBuildNumber = attachBuild(openedConnection)
    removeOtherBuilds(dataDir, currentBuildNumber)
    buildNumber = currentBuildNumber + 1
    openedConnection.handle.pragma('temp_store = file')
    openedConnection.handle.pragma('temp.cache_size = -32000')
    createPrivateFile(createCataloguePath(dataDir, buildNumber))
    openedConnection.handle.prepare('attach ? as catalogue_next').run(createCataloguePath(dataDir, buildNumber))
    openedConnection.handle.pragma('catalogue_next.journal_mode = off')
    openedConnection.handle.pragma('catalogue_next.synchronous = off')
    openedConnection.handle.pragma('catalogue_next.cache_size = -48000')
    const setupStatements = [
      ...createCatalogueTablesSql('sqlite', 'catalogue_next'),
      ...createSearchIndexSql('catalogue_next'),
      ...createStagedTablesSql('sqlite'),
    ]
    for (const statement of setupStatements) openedConnection.handle.exec(statement)
    return openedConnection
  }
  const discardStaging = () => {
    connection?.close()
    connection = undefined
    if (buildNumber > 0) rmSync(createCataloguePath(dataDir, buildNumber), { force: true })
    releaseLock()
  }
  try {
    const openedConnection = openStagingConnection()
    const appendRows = createRowAppender(openedConnection)
    let isCataloguePublished = false
    const withStorageErrors = async <T>(runWork: () => Promise<T> | T): Promise<T> => {
      try {
        return await runWork()
      } catch (error) {
        throw toStorageError(error, filePath)
      }
    }
    return {
      kind: 'sqlite',
      queries: openedConnection.queries,
      isCatalogueOutdated: isCatalogueOutdated(openedConnection),
      listColumns: (tableName) =>
        withStorageErrors(() =>
          openedConnection.statement("select name from pragma_table_info(?, 'catalogue')").pluck().all(tableName).map(String),
        ),
      append: (table, rows) => withStorageErrors(() => appendRows(table, rows)),
      indexSongs: (songCount) => withStorageErrors(() => indexSongs(openedConnection, songCount)),
      publish: (publishJob: (queries: Queries) => Promise<void>) =>
        withStorageErrors(async () => {
          // Both catalogues are detached, because a write transaction locks every attached file, and readers hold shared locks on `catalogue`.
          openedConnection.forgetStatements()
          openedConnection.handle.exec('detach catalogue; detach catalogue_next')
          syncToDisk(createCataloguePath(dataDir, buildNumber))
          syncToDisk(dataDir)
          await beginImmediate(openedConnection, filePath)
          try {
            await publishJob(openedConnection.queries)
            await openedConnection.queries.updateTable('state').set({ value: buildNumber }).where('key', '=', 'catalogue').execute()
            await bumpRevision(openedConnection.queries)
            openedConnection.handle.exec('commit')
          } catch (error) {
            rollBack(openedConnection)
            throw error
          }
          isCataloguePublished = true
          onPublished()
        }),
      close: async () => {
        if (!isCataloguePublished) return discardStaging()
        openedConnection.close()
        removeOtherBuilds(dataDir, buildNumber)
        releaseLock()
      },
    }
  } catch (error) {
    discardStaging()
    throw toStorageError(error, filePath)
  }
}
