import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgres } from '../dialects/postgres.ts'
import { requireUnusedPostgres, storeRestoreMark } from '../dialects/postgres-restore.ts'
import { createDatabasePath } from '../dialects/sqlite-files.ts'
import { requireUnusedDatabase } from '../dialects/sqlite-lock.ts'
import { openSqliteReader } from '../dialects/sqlite-reader.ts'
import { StorageError } from '../errors.ts'
import { moveToPostgres } from '../move-to-postgres.ts'
import { openStorage, type Storage } from '../open.ts'
import { extractArchive, hasErrorCode } from './archive.ts'
import { finishRestore, PREPARED_PREFIX, prepareFiles, type RestorePlan } from './finish-restore.ts'
import { compareDigests, createTableDigest, type TableDigest, type TableDigests, uncomparedTables } from './table-digests.ts'

/** Returns the problems of the files of a data directory, apart from those of the database. */
export type CheckFiles = (dir: string) => Promise<string[]>

/** The names of the files and folders in DATA_DIR that a restored backup replaces: those of the database, and others. */
const DATABASE_ENTRY = /^(?:varispeed\.sqlite(?:-wal|-shm)?|catalogue-\d{1,20}\.sqlite)$/
const IMPORTS_ENTRY = 'youtube-members.json'
/** The names of the folders with the files that all processes share. */
const SHARED_ENTRIES = ['identity', 'conversions']
const RESTORE_MARKS = 2 ** 47
/** The SQLSTATE of a full disk. */
const POSTGRES_DISK_FULL = '53100'

async function readDigests(extractedDir: string): Promise<TableDigests> {
  const reader = openSqliteReader(extractedDir)
  try {
    const digestByTable: Record<string, TableDigest> = {}
    for (const tableName of reader.listTables()) {
      if (uncomparedTables.has(tableName)) continue
      const digest = createTableDigest()
      for await (const row of reader.readRows(tableName)) digest.add(row)
      digestByTable[tableName] = digest.read()
    }
    return digestByTable
  } finally {
    reader.close()
  }
}

/**
 * Extracts a backup to a new folder, compares it with the digests that it contains, and brings its database up to date. `prepareStorage` is called with the
 * open database.
 * @throws StorageError if the backup is damaged, or was made by a newer version
 */
async function extractAndCheckBackup(
  filePath: string,
  extractedDir: string,
  checkFiles: CheckFiles,
  prepareStorage: (storage: Storage) => Promise<void>,
): Promise<void> {
  const archivedDigests = await extractArchive(filePath, extractedDir)
  const requireNoProblems = (problems: readonly string[]) => {
    if (problems.length > 0) throw new StorageError('corrupt', `The backup is damaged: ${problems.join('; ')}.`)
  }
  if (archivedDigests !== undefined) requireNoProblems(compareDigests(archivedDigests, await readDigests(extractedDir)))
  const storage = await openStorage({ dataDir: extractedDir })
  try {
    requireNoProblems([...(await storage.findProblems()), ...(await checkFiles(extractedDir))])
    await prepareStorage(storage)
  } finally {
    await storage.close()
  }
}

/**
 * Restores a backup into an empty folder, and checks the result.
 * @throws StorageError if the backup is damaged
 */
export const checkBackup = (path: string, dir: string, checkFiles: CheckFiles): Promise<void> =>
  extractAndCheckBackup(path, dir, checkFiles, async () => {})

export interface RestoreOptions {
  dataDir: string
  databaseUrl: string | undefined
  nowMs: number
  /** Whether existing data are replaced. */
  replace: boolean
  checkFiles: CheckFiles
  /** The store of the files that all processes share, if it is not in `dataDir`. */
  bucket: { moveIn(path: string, name: string): Promise<void> } | undefined
  report: (line: string) => void
}

async function moveFiles(extractedDir: string, folderPath: string, bucket: NonNullable<RestoreOptions['bucket']>): Promise<void> {
  const names = existsSync(join(extractedDir, folderPath)) ? await readdir(join(extractedDir, folderPath)) : []
  for (const name of names) await bucket.moveIn(join(extractedDir, folderPath, name), `${folderPath}/${name}`)
}

/** Deletes the folders of restores that were interrupted before their files were complete. */
async function deletePreparedFolders(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(PREPARED_PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true })
}

/** @throws StorageError if the database is in use, or if there is one that is not to be replaced */
async function requireReplaceable({ dataDir, databaseUrl, replace }: RestoreOptions): Promise<void> {
  if (databaseUrl !== undefined) return requireUnusedPostgres(databaseUrl)
  requireUnusedDatabase(dataDir)
  if (!replace && existsSync(createDatabasePath(dataDir)))
    throw new StorageError('failed', `There is a database in ${dataDir}: with --replace, it is moved to a folder there.`)
}

/**
 * Replaces the rows of PostgreSQL by those of the database in `extractedDir`, and prepares that `finishRestore` replaces the files of the plan by
 * `fileNames` there: both or neither.
 */
async function replacePostgresRows(
  {
    extractedDir,
    fileNames,
    databaseUrl,
    plan,
  }: { extractedDir: string; fileNames: readonly string[]; databaseUrl: string; plan: RestorePlan },
  options: RestoreOptions,
): Promise<void> {
  const { dataDir, replace, report } = options
  const mark = randomInt(RESTORE_MARKS)
  const filesDir = await mkdtemp(join(dataDir, PREPARED_PREFIX))
  try {
    await moveToPostgres(extractedDir, (filling) => openPostgres(databaseUrl, undefined, filling), report, {
      replace,
      beforeCommit: async (queries) => {
        await storeRestoreMark(queries, mark)
        for (const name of fileNames) await rename(join(extractedDir, name), join(filesDir, name))
        prepareFiles(dataDir, filesDir, { ...plan, mark })
      },
    })
  } catch (error) {
    // The connection may have been lost after the commit.
    const isCommitted = await finishRestore(dataDir, databaseUrl).catch(() => {
      throw new StorageError(
        'unreachable',
        'The database server has not said whether the restore is complete: the next start of the server finishes it, if it is.',
        { cause: error },
      )
    })
    if (!isCommitted) throw error
  } finally {
    await rm(filesDir, { recursive: true, force: true })
  }
}

/** Returns the error of a full disk with what was not restored; undefined for other errors. */
function describeFullDisk(error: unknown, dataDir: string): StorageError | undefined {
  const isFull = error instanceof StorageError && error.fault === 'full'
  if (!isFull && !hasErrorCode(error, 'ENOSPC') && !hasErrorCode(error, 'EDQUOT')) return undefined
  const isOfPostgres = isFull && hasErrorCode(error.cause, POSTGRES_DISK_FULL)
  const diskName = isOfPostgres ? 'The disk of the database server' : `The disk of DATA_DIR ${dataDir}`
  return new StorageError('full', `${diskName} is full: nothing was restored.`, { cause: error })
}

/**
 * Checks a backup and puts its data in the place of those of the site: the database, the catalogue, the signing keys and the files of conversions.
 * Invalidates the positions from which devices continue to synchronise favorites and own playlists (`resetCursors`). Returns the folder with the
 * replaced files; undefined if there were none. Files in a bucket are replaced one by one: those of conversions first, as no other file has their
 * names, and the signing keys last.
 * @throws StorageError with one line, which says what was restored; without such words, nothing was changed
 */
export async function restoreBackup(filePath: string, options: RestoreOptions): Promise<{ replacedDir: string | undefined }> {
  const { dataDir, databaseUrl, nowMs, checkFiles, bucket } = options
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await finishRestore(dataDir, databaseUrl)
  await requireReplaceable(options)
  await deletePreparedFolders(dataDir)
  const newDir = await mkdtemp(join(dataDir, PREPARED_PREFIX))
  let keysDir = ''
  try {
    await extractAndCheckBackup(filePath, newDir, checkFiles, async (storage) => {
      await storage.favorites.resetCursors()
      await storage.ownPlaylists.resetCursors()
    })
    // The server may have been started while the backup was read.
    await requireReplaceable(options)
    if (bucket !== undefined) {
      await moveFiles(newDir, 'conversions', bucket)
      keysDir = await mkdtemp(join(dataDir, PREPARED_PREFIX))
      if (existsSync(join(newDir, 'identity'))) await rename(join(newDir, 'identity'), join(keysDir, 'identity'))
    }
    const nonDatabaseEntryNames = [IMPORTS_ENTRY, ...(bucket === undefined ? SHARED_ENTRIES : [])]
    const isReplacedEntry = (name: string) =>
      nonDatabaseEntryNames.includes(name) || (databaseUrl === undefined && DATABASE_ENTRY.test(name))
    for (const name of await readdir(newDir))
      if (!isReplacedEntry(name) && !DATABASE_ENTRY.test(name)) await rm(join(newDir, name), { recursive: true, force: true })
    const replacedNames = (await readdir(dataDir)).filter(isReplacedEntry)
    const replacedDir = `before-restore-${new Date(nowMs).toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
    const plan = { replacedDir, replacedNames }
    const listFileNames = async () => (await readdir(newDir)).filter((name) => nonDatabaseEntryNames.includes(name))
    if (databaseUrl === undefined) prepareFiles(dataDir, newDir, plan)
    else await replacePostgresRows({ extractedDir: newDir, fileNames: await listFileNames(), databaseUrl, plan }, options)
    await finishRestore(dataDir, databaseUrl).catch((error: unknown) => {
      throw new StorageError(
        'failed',
        `The restore is not complete, and the next start of the server finishes it: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      )
    })
    if (bucket !== undefined)
      await moveFiles(keysDir, 'identity', bucket).catch((error: unknown) => {
        throw new StorageError(
          'failed',
          `All was restored but the signing keys in the bucket; restore the backup again: ${error instanceof Error ? error.message : error}`,
          { cause: error },
        )
      })
    if (replacedNames.length > 0) return { replacedDir: join(dataDir, replacedDir) }
    await rm(join(dataDir, replacedDir), { recursive: true, force: true })
    return { replacedDir: undefined }
  } catch (error) {
    throw describeFullDisk(error, dataDir) ?? error
  } finally {
    for (const dir of [newDir, keysDir]) if (dir !== '') await rm(dir, { recursive: true, force: true })
  }
}
