import { existsSync } from 'node:fs'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { StorageError } from '../errors.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import type { StoredRow, TableReader } from '../table-reader.ts'
import { toStorageError } from './sqlite-connection.ts'
import { createCataloguePath, createDatabasePath, createPrivateFile } from './sqlite-files.ts'

const SNAPSHOT_ATTEMPTS_MAX = 10
/** The number of pages that a copy of a database reads between two turns of the event loop. */
const DATABASE_PAGES_PER_STEP = 1000

const readState = (handle: SqliteHandle, key: string) =>
  Number(handle.prepare('select value from main.state where key = ?').pluck().get(key))

/**
 * Begins a read transaction, and attaches the catalogue that belongs to its snapshot. Returns the number of the catalogue's build; undefined if an
 * import has removed that catalogue since the transaction began.
 */
function beginSnapshot(handle: SqliteHandle, dataDir: string): number | undefined {
  handle.exec('begin')
  const buildNumber = readState(handle, 'catalogue')
  if (buildNumber === 0) return buildNumber
  const filePath = createCataloguePath(dataDir, buildNumber)
  if (!existsSync(filePath)) return undefined
  handle.prepare('attach ? as catalogue').run(filePath)
  // Reading the catalogue opens its file, which is readable from then on, even after it is deleted.
  return handle.prepare('select 1 from catalogue.sqlite_schema limit 1').get() === undefined ? undefined : buildNumber
}

/**
 * Opens the database in `dataDir` to read whole tables from one snapshot, also while it is in use.
 * @throws StorageError if there is no database
 */
export function openSqliteReader(dataDir: string): TableReader & {
  readRevision(): number
  /** Copies the files of the snapshot to a folder. */
  copyTo(dir: string): Promise<void>
  close(): void
} {
  const filePath = createDatabasePath(dataDir)
  if (!existsSync(filePath)) throw new StorageError('failed', `There is no database in ${dataDir}.`)
  let handle: SqliteHandle
  let snapshotBuildNumber: number | undefined
  for (let attemptNumber = 1; ; attemptNumber++) {
    handle = new SqliteFile(filePath, { readonly: true, timeout: 5000 })
    try {
      snapshotBuildNumber = beginSnapshot(handle, dataDir)
    } catch (error) {
      handle.close()
      throw toStorageError(error, filePath)
    }
    if (snapshotBuildNumber !== undefined) break
    handle.close()
    if (attemptNumber === SNAPSHOT_ATTEMPTS_MAX)
      throw new StorageError('corrupt', `The catalogue of ${dataDir} is missing, or imports follow each other; try again.`)
  }
  const buildNumber = snapshotBuildNumber
  const openedHandle = handle
  const listTables = (schemaName: string) =>
    openedHandle
      .prepare(`select name from ${schemaName}.sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
      .pluck()
      .all()
      .map(String)
  /** The tables of the catalogue without those of the search index. */
  const listCatalogueTables = () => (buildNumber === 0 ? [] : listTables('catalogue').filter((name) => !name.includes('_tokens')))
  return {
    listTables: () => [...listTables('main'), ...listCatalogueTables().map((name) => `catalogue.${name}`)],
    readRows: (table) => openedHandle.prepare<[], StoredRow>(`select * from ${table.includes('.') ? table : `main.${table}`}`).iterate(),
    readRevision: () => readState(openedHandle, 'revision'),
    copyTo: async (targetDir) => {
      createPrivateFile(createDatabasePath(targetDir))
      await openedHandle.backup(createDatabasePath(targetDir))
      if (buildNumber === 0) return
      createPrivateFile(createCataloguePath(targetDir, buildNumber))
      // The types of the package lack `attached`, the name of the database that is copied.
      const options = { attached: 'catalogue', progress: () => DATABASE_PAGES_PER_STEP }
      await openedHandle.backup(createCataloguePath(targetDir, buildNumber), options)
    },
    close: () => {
      openedHandle.close()
    },
  }
}

/** Stores the time of the last good backup. */
export function storeBackupTime(dataDir: string, backedUpAtMs: number): void {
  const databaseHandle = new SqliteFile(createDatabasePath(dataDir), { fileMustExist: true, timeout: 5000 })
  try {
    databaseHandle
      .prepare("insert into state (key, value) values ('backup', ?) on conflict (key) do update set value = excluded.value")
      .run(backedUpAtMs)
  } catch (error) {
    throw toStorageError(error, createDatabasePath(dataDir))
  } finally {
    databaseHandle.close()
  }
}

/** Lists the names of the applied migrations of a database, and the ids of its conversions. */
export function readSnapshotFacts(snapshotDir: string): { migrations: string[]; conversionIds: string[] } {
  const databaseHandle = new SqliteFile(createDatabasePath(snapshotDir), { readonly: true })
  try {
    const listTexts = (query: string) => databaseHandle.prepare(query).pluck().all().map(String)
    // A database that this version has not migrated yet may lack the table.
    const hasConversions = listTexts("select name from sqlite_schema where type = 'table' and name = 'conversions'").length > 0
    return {
      migrations: listTexts('select name from migrations order by name'),
      conversionIds: hasConversions ? listTexts('select id from conversions') : [],
    }
  } finally {
    databaseHandle.close()
  }
}
