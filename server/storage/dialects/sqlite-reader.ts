import { existsSync } from 'node:fs'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { StorageError } from '../errors.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import type { StoredRow, TableReader } from '../table-reader.ts'
import { asStorageError } from './sqlite-connection.ts'
import { catalogueFile, createPrivateFile, databaseFile } from './sqlite-files.ts'

const SNAPSHOT_ATTEMPTS = 10
/** The number of pages that a copy of a database reads between two turns of the event loop. */
const PAGES_PER_STEP = 1000

const readState = (handle: SqliteHandle, key: string) =>
  Number(handle.prepare('select value from main.state where key = ?').pluck().get(key))

/**
 * Begins a read transaction, and attaches the catalogue that belongs to its snapshot. Returns the number of the catalogue's build; undefined if an
 * import has removed that catalogue since the transaction began.
 */
function beginSnapshot(handle: SqliteHandle, dataDir: string): number | undefined {
  handle.exec('begin')
  const build = readState(handle, 'catalogue')
  if (build === 0) return build
  const filePath = catalogueFile(dataDir, build)
  if (!existsSync(filePath)) return undefined
  handle.prepare('attach ? as catalogue').run(filePath)
  // Reading the catalogue opens its file, which is readable from then on, even after it is deleted.
  return handle.prepare('select 1 from catalogue.sqlite_schema limit 1').get() === undefined ? undefined : build
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
  const file = databaseFile(dataDir)
  if (!existsSync(file)) throw new StorageError('failed', `There is no database in ${dataDir}.`)
  let handle: SqliteHandle
  let build: number | undefined
  for (let attempt = 1; ; attempt++) {
    handle = new SqliteFile(file, { readonly: true, timeout: 5000 })
    try {
      build = beginSnapshot(handle, dataDir)
    } catch (error) {
      handle.close()
      throw asStorageError(error, file)
    }
    if (build !== undefined) break
    handle.close()
    if (attempt === SNAPSHOT_ATTEMPTS)
      throw new StorageError('corrupt', `The catalogue of ${dataDir} is missing, or imports follow each other; try again.`)
  }
  const buildNumber = build
  const openedHandle = handle
  const tablesOf = (schema: string) =>
    openedHandle
      .prepare(`select name from ${schema}.sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
      .pluck()
      .all()
      .map(String)
  /** The tables of the catalogue without those of the search index. */
  const listCatalogueTables = () => (buildNumber === 0 ? [] : tablesOf('catalogue').filter((name) => !name.includes('_tokens')))
  return {
    listTables: () => [...tablesOf('main'), ...listCatalogueTables().map((name) => `catalogue.${name}`)],
    rowsOf: (table) => openedHandle.prepare<[], StoredRow>(`select * from ${table.includes('.') ? table : `main.${table}`}`).iterate(),
    readRevision: () => readState(openedHandle, 'revision'),
    copyTo: async (dir) => {
      createPrivateFile(databaseFile(dir))
      await openedHandle.backup(databaseFile(dir))
      if (buildNumber === 0) return
      createPrivateFile(catalogueFile(dir, buildNumber))
      // The types of the package lack `attached`, the name of the database that is copied.
      const options = { attached: 'catalogue', progress: () => PAGES_PER_STEP }
      await openedHandle.backup(catalogueFile(dir, buildNumber), options)
    },
    close: () => {
      openedHandle.close()
    },
  }
}

/** Stores the time of the last good backup. */
export function storeBackupTime(dataDir: string, atMs: number): void {
  const handle = new SqliteFile(databaseFile(dataDir), { fileMustExist: true, timeout: 5000 })
  try {
    handle.prepare("insert into state (key, value) values ('backup', ?) on conflict (key) do update set value = excluded.value").run(atMs)
  } catch (error) {
    throw asStorageError(error, databaseFile(dataDir))
  } finally {
    handle.close()
  }
}

/** Lists the names of the applied migrations of a database, and the ids of its conversions. */
export function readSnapshotFacts(dir: string): { migrations: string[]; conversionIds: string[] } {
  const handle = new SqliteFile(databaseFile(dir), { readonly: true })
  try {
    const listTexts = (query: string) => handle.prepare(query).pluck().all().map(String)
    // A database that this version has not migrated yet may lack the table.
    const hasConversions = listTexts("select name from sqlite_schema where type = 'table' and name = 'conversions'").length > 0
    return {
      migrations: listTexts('select name from migrations order by name'),
      conversionIds: hasConversions ? listTexts('select id from conversions') : [],
    }
  } finally {
    handle.close()
  }
}
