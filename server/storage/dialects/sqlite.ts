import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bumpRevision, type Database } from '../database.ts'
import { StorageError } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { emptyCatalogue } from '../tables.ts'
import { asStorageError, openConnection, type SqliteConnection } from './sqlite-connection.ts'
import { BUILD_FORMAT, searchTables, sqliteDialect } from './sqlite-search.ts'
import { catalogueFile, openSqliteStaging, removeLeftovers } from './sqlite-staging.ts'
import { createWriter } from './sqlite-writer.ts'

/** How often it is looked whether another process has changed something. */
const POLL_MS = 250
const ATTACH_ATTEMPTS = 20

function makeDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'ENOSPC') throw new StorageError('full', `The disk of DATA_DIR ${dataDir} is full.`, { cause: error })
    const fault = code === 'EROFS' || code === 'EACCES' ? 'read-only' : 'unreachable'
    throw new StorageError(fault, `DATA_DIR ${dataDir} cannot be made (${code}).`, { cause: error })
  }
}

/**
 * Password hashes stand in the database: others than its owner may not read it. SQLite gives the files beside it the mode of `file`.
 * What cannot be done here is left to the library, whose failure says why.
 */
function keepPrivate(file: string): void {
  try {
    // Only a file that is not there: closing one that is would give up the locks that this process holds on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch {}
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      chmodSync(path, statSync(path).mode & 0o700)
    } catch {}
  }
}

function stateValue(connection: SqliteConnection, key: 'revision' | 'catalogue'): number {
  return Number(connection.statement('select value from main.state where key = ?').pluck().get(key))
}

/** Makes `catalogue` mean the current build and gives its number; `attached` is the build it means so far. */
function attachCurrent(connection: SqliteConnection, dataDir: string, attached: number | undefined): number {
  for (let attempt = 1; ; attempt++) {
    const build = stateValue(connection, 'catalogue')
    if (build === attached) return build
    if (attached !== undefined) {
      connection.handle.exec('detach catalogue')
      connection.forgetStatements()
    }
    attached = undefined
    if (build === 0) {
      connection.handle.exec("attach ':memory:' as catalogue")
      for (const statement of [...emptyCatalogue('sqlite'), ...searchTables('catalogue')]) connection.handle.exec(statement)
      return build
    }
    const path = catalogueFile(dataDir, build)
    if (existsSync(path)) {
      connection.handle.prepare('attach ? as catalogue').run(path)
      // A published build never changes: a reader's lock is taken once and kept, which saves taking it for each query.
      connection.handle.pragma('catalogue.locking_mode = exclusive')
      connection.handle.pragma('catalogue.cache_size = -64000')
      if (connection.handle.prepare("select 1 from catalogue.sqlite_schema where name = 'totals'").get() !== undefined) return build
      connection.handle.exec('detach catalogue')
    }
    // An import by another process may have replaced the file since its number was read.
    if (attempt >= ATTACH_ATTEMPTS || stateValue(connection, 'catalogue') === build) {
      throw new StorageError('corrupt', `The catalogue ${path} is missing or damaged; restore it from a backup.`)
    }
  }
}

/**
 * SQLite in `dataDir`: `varispeed.sqlite` holds what people write; each build of the catalogue is a file beside it. One connection reads
 * and one writes, so a reader never sees, or waits for, a transaction under way.
 * @throws StorageError with one clear line
 */
export async function openSqlite(dataDir: string): Promise<Database> {
  makeDirectory(dataDir)
  const file = join(dataDir, 'varispeed.sqlite')
  const opened: SqliteConnection[] = []
  const connect = (timeoutMs: number) => {
    const connection = openConnection(file, timeoutMs)
    opened.push(connection)
    return connection
  }
  keepPrivate(file)
  try {
    const writing = connect(0)
    let changedHere = false
    const writer = createWriter(writing, file, () => {
      changedHere = true
    })
    writing.handle.pragma('busy_timeout = 5000')
    writing.handle.pragma('journal_mode = wal')
    writing.handle.pragma('busy_timeout = 0')
    writing.handle.pragma('synchronous = full')
    await writer.write((queries) => migrate(queries, 'sqlite'))

    const reading = connect(5_000)
    reading.handle.pragma('cache_size = -16000')
    let build = attachCurrent(reading, dataDir, undefined)
    removeLeftovers(dataDir, build)
    let revision = stateValue(reading, 'revision')
    let dataVersion = reading.handle.pragma('data_version', { simple: true })
    let polledAt = Date.now()

    const poll = () => {
      polledAt = Date.now()
      changedHere = false
      const now = reading.handle.pragma('data_version', { simple: true })
      if (now === dataVersion) return
      dataVersion = now
      build = attachCurrent(reading, dataDir, build)
      revision = stateValue(reading, 'revision')
    }
    const timer = setInterval(() => {
      try {
        poll()
      } catch {
        // The next reader meets the same fault and reports it.
      }
    }, POLL_MS)
    timer.unref()

    return {
      queries: reading.queries,
      dialect: sqliteDialect,
      write: (job) => writer.write(job),
      writeRevised: (job) =>
        writer.write(async (queries) => {
          const value = await job(queries)
          await bumpRevision(queries)
          return value
        }),
      revision: () => {
        if (changedHere || Date.now() - polledAt > POLL_MS) poll()
        return revision
      },
      isOutdated: () => reading.handle.pragma('catalogue.user_version', { simple: true }) !== BUILD_FORMAT,
      openStaging: async () =>
        openSqliteStaging({
          dataDir,
          file,
          attach: (connection) => attachCurrent(connection, dataDir, undefined),
          onPublished: poll,
        }),
      close: async () => {
        clearInterval(timer)
        await writer.idle()
        for (const connection of opened) connection.close()
      },
    }
  } catch (error) {
    for (const connection of opened) connection.close()
    throw asStorageError(error, file)
  }
}
