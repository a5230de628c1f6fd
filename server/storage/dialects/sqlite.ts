import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createEmptyCatalogueSql } from '../catalogue-tables.ts'
import { bumpRevision, type Database, type QueryObserver } from '../database.ts'
import { StorageError } from '../errors.ts'
import { applyMigrations } from '../migrate.ts'
import { openConnection, type SqliteConnection, toStorageError } from './sqlite-connection.ts'
import { findDamage } from './sqlite-damage.ts'
import { createCataloguePath, createDatabasePath, createPrivateFile } from './sqlite-files.ts'
import { createSearchIndexSql, isCatalogueOutdated, sqliteDialect } from './sqlite-search.ts'
import { deleteAbandonedBuilds, openSqliteStaging } from './sqlite-staging.ts'
import { createWriter } from './sqlite-writer.ts'

/** The interval in milliseconds of the checks for commits by other processes. */
const POLL_MS = 250
const ATTACH_ATTEMPTS_MAX = 20

/** Creates a folder and its parents. Node's own `recursive` never returns in a folder that refuses new entries with ENOENT, such as `/proc`. */
function createFolderWithParents(folderPath: string): void {
  if (existsSync(folderPath)) return
  if (dirname(folderPath) !== folderPath) createFolderWithParents(dirname(folderPath))
  try {
    mkdirSync(folderPath, { mode: 0o700 })
  } catch (error) {
    // Another process may have created the folder since the check.
    if (!existsSync(folderPath)) throw error
  }
}

function createDataDirectory(dataDir: string): void {
  try {
    createFolderWithParents(dataDir)
  } catch (error) {
    const errorCode = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (errorCode === 'ENOSPC') throw new StorageError('full', `The disk of DATA_DIR ${dataDir} is full.`, { cause: error })
    const storageFault = errorCode === 'EROFS' || errorCode === 'EACCES' ? 'read-only' : 'unreachable'
    throw new StorageError(storageFault, `DATA_DIR ${dataDir} cannot be made (${errorCode}).`, { cause: error })
  }
}

/**
 * Makes the existing files of the database accessible to their owner only, because they contain password hashes. Errors are ignored here: opening
 * the database reports them.
 */
function restrictToOwner(dataDir: string): void {
  try {
    for (const name of readdirSync(dataDir)) {
      const path = join(dataDir, name)
      if (/\.sqlite(?:-\w+)?$|^import\.lock$/.test(name)) chmodSync(path, statSync(path).mode & 0o700)
    }
  } catch {}
}

function readState(connection: SqliteConnection, key: 'revision' | 'catalogue'): number {
  return Number(connection.statement('select value from main.state where key = ?').pluck().get(key))
}

/** Attaches the current build as `catalogue` and returns its number. `attachedBuildNumber` is the number of the build attached so far. */
function attachCurrentBuild(connection: SqliteConnection, dataDir: string, attachedBuildNumber: number | undefined): number {
  for (let attemptNumber = 1; ; attemptNumber++) {
    const currentBuild = readState(connection, 'catalogue')
    if (currentBuild === attachedBuildNumber) return currentBuild
    if (attachedBuildNumber !== undefined) {
      connection.handle.exec('detach catalogue')
      connection.forgetStatements()
    }
    attachedBuildNumber = undefined
    if (currentBuild === 0) {
      connection.handle.exec("attach ':memory:' as catalogue")
      for (const statement of [...createEmptyCatalogueSql('sqlite'), ...createSearchIndexSql('catalogue')])
        connection.handle.exec(statement)
      return currentBuild
    }
    const filePath = createCataloguePath(dataDir, currentBuild)
    if (existsSync(filePath)) {
      connection.handle.prepare('attach ? as catalogue').run(filePath)
      // A published build never changes, so a connection holds a shared lock on the build's file permanently, instead of locking it for each query.
      connection.handle.pragma('catalogue.locking_mode = exclusive')
      connection.handle.pragma('catalogue.cache_size = -64000')
      if (connection.handle.prepare("select 1 from catalogue.sqlite_schema where name = 'totals'").get() !== undefined) return currentBuild
      connection.handle.exec('detach catalogue')
    }
    // Attaches the catalogue again if a concurrent import has replaced its file since the build number was read.
    if (attemptNumber >= ATTACH_ATTEMPTS_MAX || readState(connection, 'catalogue') === currentBuild) {
      throw new StorageError('corrupt', `The catalogue ${filePath} is missing or damaged; restore it from a backup.`)
    }
  }
}

/**
 * Opens SQLite in `dataDir`: `varispeed.sqlite` is the main file, and each catalogue build a separate file. One connection reads and another one
 * writes, so that readers neither see nor wait for an open transaction.
 * @throws StorageError with a message of one line
 */
export async function openSqlite(dataDir: string, observeQuery?: QueryObserver): Promise<Database> {
  createDataDirectory(dataDir)
  const filePath = createDatabasePath(dataDir)
  const openedConnections: SqliteConnection[] = []
  createPrivateFile(filePath)
  const openAttached = (timeoutMs: number) => {
    const connection = openConnection(filePath, timeoutMs, observeQuery)
    openedConnections.push(connection)
    return connection
  }
  restrictToOwner(dataDir)
  try {
    const writingConnection = openAttached(0)
    let hasBatchCommitted = false
    const writer = createWriter(writingConnection, filePath, () => {
      hasBatchCommitted = true
    })
    writingConnection.handle.pragma('busy_timeout = 5000')
    writingConnection.handle.pragma('journal_mode = wal')
    writingConnection.handle.pragma('busy_timeout = 0')
    writingConnection.handle.pragma('synchronous = full')
    // Deleted rows are overwritten with zeros, because deleted data such as salts of client ids must not remain in the file.
    writingConnection.handle.pragma('secure_delete = fast')
    await writer.write((queries) => applyMigrations(queries, 'sqlite'))

    const readingConnection = openAttached(5_000)
    readingConnection.handle.pragma('cache_size = -16000')
    let buildNumber = attachCurrentBuild(readingConnection, dataDir, undefined)
    deleteAbandonedBuilds(dataDir, buildNumber)
    let revisionNumber = readState(readingConnection, 'revision')
    let dataVersion = readingConnection.handle.pragma('data_version', { simple: true })
    let polledAtMs = Date.now()

    const pollCommits = () => {
      polledAtMs = Date.now()
      hasBatchCommitted = false
      const currentVersion = readingConnection.handle.pragma('data_version', { simple: true })
      if (currentVersion === dataVersion) return
      dataVersion = currentVersion
      buildNumber = attachCurrentBuild(readingConnection, dataDir, buildNumber)
      revisionNumber = readState(readingConnection, 'revision')
    }
    const timer = setInterval(() => {
      try {
        pollCommits()
      } catch {
        // An error while polling for changes is ignored, because the next query fails with the same error and reports it.
      }
    }, POLL_MS)
    timer.unref()

    return {
      queries: readingConnection.queries,
      dialect: sqliteDialect,
      write: (job) => writer.write(job),
      writeWithRevision: (writeJobFunction) =>
        writer.write(async (queries) => {
          const value = await writeJobFunction(queries)
          await bumpRevision(queries)
          return value
        }),
      revision: () => {
        if (hasBatchCommitted || Date.now() - polledAtMs > POLL_MS) pollCommits()
        return revisionNumber
      },
      isOutdated: () => isCatalogueOutdated(readingConnection),
      findDamage: async () => findDamage(readingConnection, { main: filePath, catalogue: createCataloguePath(dataDir, buildNumber) }),
      openStaging: async () =>
        openSqliteStaging({
          dataDir,
          filePath,
          attachCatalogue: (connection) => attachCurrentBuild(connection, dataDir, undefined),
          onPublished: pollCommits,
        }),
      close: async () => {
        clearInterval(timer)
        await writer.idle()
        for (const connection of openedConnections) connection.close()
      },
    }
  } catch (error) {
    for (const connection of openedConnections) connection.close()
    throw toStorageError(error, filePath)
  }
}
