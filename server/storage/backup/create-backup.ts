import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openPool } from '../dialects/postgres-connection.ts'
import { openPostgresReader, storePostgresBackupTime, takePostgresBackupLock } from '../dialects/postgres-reader.ts'
import { toStorageError } from '../dialects/sqlite-connection.ts'
import { createDatabasePath } from '../dialects/sqlite-files.ts'
import { writeSqliteDatabase } from '../dialects/sqlite-from-rows.ts'
import { takeFileLock } from '../dialects/sqlite-lock.ts'
import { openSqliteReader, readSnapshotFacts, storeBackupTime } from '../dialects/sqlite-reader.ts'
import { BACKUP_RUNNING_MESSAGE, StorageError } from '../errors.ts'
import { type BackupFacts, hasErrorCode, type OpenFile, openFileAt, type SharedFiles, writeArchive } from './archive.ts'
import { finishRestore } from './finish-restore.ts'
import { type CheckFiles, checkBackup } from './restore-backup.ts'
import { createTableDigest, type TableDigests, uncomparedTables } from './table-digests.ts'

/** A database that is to be backed up. Its lock is held until it is closed. */
interface BackupSource {
  kind: BackupFacts['database']
  /** Writes a SQLite database with the rows of the snapshot into a new folder. Returns the digests of the rows that were read. */
  copyTo(dir: string): Promise<TableDigests>
  storeBackupTime(atMs: number): Promise<void>
  close(): Promise<void>
}

const createBackupRunningError = () => new StorageError('busy', BACKUP_RUNNING_MESSAGE)

function createDigestCollector() {
  const digestByTable = new Map<string, ReturnType<typeof createTableDigest>>()
  const findOrCreateDigest = (tableName: string) => {
    const digest = digestByTable.get(tableName) ?? createTableDigest()
    digestByTable.set(tableName, digest)
    return digest
  }
  return {
    digestOf: findOrCreateDigest,
    read: (): TableDigests => Object.fromEntries([...digestByTable].map(([table, digest]) => [table, digest.read()])),
  }
}

async function openSqliteSource(dataDir: string): Promise<BackupSource> {
  if (!existsSync(createDatabasePath(dataDir))) throw new StorageError('failed', `There is no database in ${dataDir}.`)
  const releaseLock = takeFileLock(join(dataDir, 'backup.lock'))
  if (releaseLock === undefined) throw createBackupRunningError()
  try {
    const reader = openSqliteReader(dataDir)
    return {
      kind: 'sqlite',
      copyTo: async (targetDir) => {
        await reader.copyTo(targetDir)
        const tableDigests = createDigestCollector()
        for (const tableName of reader.listTables()) {
          if (uncomparedTables.has(tableName)) continue
          const digest = tableDigests.digestOf(tableName)
          for await (const row of reader.readRows(tableName)) digest.add(row)
        }
        return tableDigests.read()
      },
      storeBackupTime: async (atMs) => storeBackupTime(dataDir, atMs),
      close: async () => {
        reader.close()
        releaseLock()
      },
    }
  } catch (error) {
    releaseLock()
    throw error
  }
}

/** Copies the rows of a snapshot, which ends with the copy, so that imports need not wait until the backup is checked. */
async function copyPostgresRows(pool: ReturnType<typeof openPool>, targetDir: string): Promise<TableDigests> {
  const reader = await openPostgresReader(pool)
  const tableDigests = createDigestCollector()
  try {
    await writeSqliteDatabase(targetDir, reader, {
      revision: await reader.readRevision(),
      omittedTables: uncomparedTables,
      observe: (table, row) => tableDigests.digestOf(table).add(row),
    })
  } finally {
    await reader.close()
  }
  const copyReader = openSqliteReader(targetDir)
  const copiedTables = copyReader.listTables()
  copyReader.close()
  const listedTables = new Set(reader.listTables())
  const missingTables = copiedTables.filter((table) => !listedTables.has(table))
  if (missingTables.length > 0)
    throw new StorageError('corrupt', `The database lacks the tables ${missingTables.join(', ')}: no backup was made.`)
  for (const table of copiedTables) if (!uncomparedTables.has(table)) tableDigests.digestOf(table)
  return tableDigests.read()
}

async function openPostgresSource(databaseUrl: string): Promise<BackupSource> {
  const pool = openPool(databaseUrl)
  try {
    const releaseLock = await takePostgresBackupLock(pool)
    if (releaseLock === undefined) throw createBackupRunningError()
    return {
      kind: 'postgres',
      copyTo: (targetDir) => copyPostgresRows(pool, targetDir),
      storeBackupTime: (atMs) => storePostgresBackupTime(pool, atMs),
      close: async () => {
        await releaseLock()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Returns the files of a backup, by their names in it, with the database in `snapshotDir`. */
async function listFiles(
  { dataDir, sharedFiles }: BackupOptions,
  snapshotDir: string,
  conversionIds: readonly string[],
): Promise<Map<string, OpenFile>> {
  const openFileByName = new Map<string, OpenFile>()
  for (const name of await readdir(snapshotDir))
    if (/^[\w-]+\.sqlite$/.test(name)) openFileByName.set(name, openFileAt(join(snapshotDir, name)))
  const conversionFileNames = new Set(conversionIds.flatMap((id) => [`${id}.in`, `${id}.out`]))
  const sharedNames = (await sharedFiles.list('conversions'))
    .filter((name) => conversionFileNames.has(name))
    .map((name) => `conversions/${name}`)
  for (const name of ['identity/keys.json', ...sharedNames]) openFileByName.set(name, () => sharedFiles.open(name))
  openFileByName.set('youtube-members.json', openFileAt(join(dataDir, 'youtube-members.json')))
  return openFileByName
}

/** Returns the path of the temporary folder in which a backup is created. The backup gets its own path only when it is complete. */
const createPartialPath = (path: string) => `${path}.partial`

/** The name of the file in the temporary folder that a living backup locks. */
const PARTIAL_LOCK = 'lock'

const BACKUP_NAME = /^varispeed-[\d-]{10}T[\d-]{8}Z\.backup$/

/** Returns the path of a backup of this time in a folder of backups. */
export const createDatedBackupPath = (dir: string, atMs: number): string =>
  join(dir, `varispeed-${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`)

/** Deletes all but the newest backups of a folder. */
async function deleteOldBackups(backupsDir: string, keptCount: number): Promise<void> {
  const fileNames = (await readdir(backupsDir)).filter((name) => BACKUP_NAME.test(name)).sort()
  for (const name of fileNames.slice(0, -keptCount)) await rm(join(backupsDir, name), { force: true })
}

/**
 * Deletes the folders of backups that were killed, which take up room that the next one needs. The lock of a site is not enough for that, because several
 * sites may have one folder of backups: each backup locks a file in its own folder, too.
 */
async function deleteInterruptedBackups(workDir: string): Promise<void> {
  const backupsDir = dirname(workDir)
  for (const name of await readdir(backupsDir)) {
    if (!name.endsWith('.backup.partial') && name !== basename(workDir)) continue
    try {
      const releaseLock = takeFileLock(join(backupsDir, name, PARTIAL_LOCK))
      if (releaseLock === undefined) continue
      releaseLock()
      await rm(join(backupsDir, name), { recursive: true, force: true })
    } catch {
      // It is no folder, or belongs to another user.
    }
  }
}

/** Creates the folder of a backup. Returns the function that deletes it. */
async function createWorkDir(workDir: string): Promise<() => Promise<void>> {
  await deleteInterruptedBackups(workDir)
  await mkdir(workDir, { mode: 0o700 })
  let releaseLock: (() => void) | undefined
  const deleteWorkDir = async () => {
    releaseLock?.()
    await rm(workDir, { recursive: true, force: true })
  }
  try {
    releaseLock = takeFileLock(join(workDir, PARTIAL_LOCK))
    if (releaseLock === undefined) throw createBackupRunningError()
    return deleteWorkDir
  } catch (error) {
    await deleteWorkDir()
    throw error
  }
}

export interface BackupOptions {
  dataDir: string
  databaseUrl: string | undefined
  sharedFiles: SharedFiles
  /** The version of the program. */
  build: string
  nowMs: number
  checkFiles: CheckFiles
  /** The number of backups that remain in the folder of the new one; without it, none is deleted. */
  keptCount?: number | undefined
}

export interface BackupResult extends BackupFacts {
  bytes: number
  tables: TableDigests
  files: number
}

async function writeAndCheck(source: BackupSource, filePath: string, options: BackupOptions): Promise<BackupResult> {
  const { build, nowMs, checkFiles } = options
  const workDir = createPartialPath(filePath)
  const [snapshotDir, checkDir, archivePath] = ['snapshot', 'check', 'backup'].map((name) => join(workDir, name)) as [
    string,
    string,
    string,
  ]
  for (const dir of [snapshotDir, checkDir]) await mkdir(dir, { mode: 0o700 })
  const tableDigests = await source.copyTo(snapshotDir)
  // Every catalogue has one row of totals, even an empty one. Without the row, the tables of the catalogue were read as empty.
  if (tableDigests['catalogue.totals']?.rows === 0)
    throw new StorageError('corrupt', 'The catalogue of the database was read without its totals: no backup was made.')
  const { migrations, conversionIds } = readSnapshotFacts(snapshotDir)
  const openFiles = await listFiles(options, snapshotDir, conversionIds)
  const backupFacts = { build, schema: migrations.at(-1) ?? '', database: source.kind, time: new Date(nowMs).toISOString() }
  const fileCount = await writeArchive(archivePath, { files: openFiles, tables: tableDigests, facts: backupFacts })
  await rm(snapshotDir, { recursive: true })
  await checkBackup(archivePath, checkDir, checkFiles)
  const { size } = await stat(archivePath)
  if (existsSync(filePath)) throw new StorageError('failed', `${filePath} exists already; a backup overwrites nothing.`)
  await rename(archivePath, filePath)
  return { ...backupFacts, bytes: size, tables: tableDigests, files: fileCount }
}

/**
 * Writes a backup to a new file, even while the server runs. The backup is restored into a folder beside it and compared with the rows that were read
 * from the database before it gets its name.
 * @throws StorageError with one line; then there is no file
 */
export async function createBackup(filePath: string, options: BackupOptions): Promise<BackupResult> {
  await finishRestore(options.dataDir, options.databaseUrl)
  if (existsSync(filePath)) throw new StorageError('failed', `${filePath} exists already; a backup overwrites nothing.`)
  const backupSource =
    options.databaseUrl === undefined ? await openSqliteSource(options.dataDir) : await openPostgresSource(options.databaseUrl)
  let deleteWorkDir: (() => Promise<void>) | undefined
  try {
    deleteWorkDir = await createWorkDir(createPartialPath(filePath))
    const backupSummary = await writeAndCheck(backupSource, filePath, options)
    await backupSource.storeBackupTime(options.nowMs)
    if (options.keptCount !== undefined) await deleteOldBackups(dirname(filePath), options.keptCount)
    return backupSummary
  } catch (cause) {
    const error = toStorageError(cause, createDatabasePath(options.dataDir))
    if (error instanceof StorageError && error.fault !== 'full') throw error
    const errorCode = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (error instanceof StorageError || hasErrorCode(error, 'ENOSPC') || hasErrorCode(error, 'EDQUOT'))
      throw new StorageError('full', `The disk of ${dirname(filePath)} is full: no backup was made.`, { cause: error })
    if (/^E[A-Z]+$/.test(errorCode))
      throw new StorageError('unreachable', `${filePath} cannot be written (${errorCode}).`, { cause: error })
    throw error
  } finally {
    await deleteWorkDir?.()
    await backupSource.close()
  }
}
