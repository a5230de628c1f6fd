import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { StorageError } from '../errors.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import { asStorageError } from './sqlite-connection.ts'
import { catalogueFile, databaseFile } from './sqlite-files.ts'

/*
 * A backup is one SQLite file, which holds the files of DATA_DIR in parts: the main database, the catalogue, the signing keys and the progress of imports.
 * Its tables: `files (name, bytes, sha256)` and `parts (name, no, content)`. `application_id` and `user_version` are written last, so that an incomplete
 * file is no backup.
 */

const APPLICATION_ID = 0x56617273
const FORMAT = 1
const PART_BYTES = 1024 * 1024
const SNAPSHOT_ATTEMPTS = 10

/** The files other than the database and the catalogue that a backup contains, if they exist. */
const otherFiles = ['identity/keys.json', 'youtube-members.json'] as const
const FILE_NAME = /^(?:varispeed\.sqlite|catalogue-\d{1,20}\.sqlite|identity\/keys\.json|youtube-members\.json)$/
/** The names of the files and folders in DATA_DIR that a restored backup replaces. */
const REPLACED_ENTRY = /^(?:varispeed\.sqlite(?:-wal|-shm)?|catalogue-\d{1,20}\.sqlite|identity|youtube-members\.json)$/

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

const openIfExists = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** @throws StorageError if a file of SQLite is damaged */
function requireIntact(path: string): void {
  const handle = new SqliteFile(path, { readonly: true })
  try {
    if (handle.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new StorageError('corrupt', `${path} is damaged; restore it from a backup.`)
  } catch (error) {
    throw asStorageError(error, path)
  } finally {
    handle.close()
  }
}

/**
 * Writes a consistent copy of the main database to `path`, and opens the catalogue that belongs to it. Repeats both steps if an import has
 * replaced the catalogue meanwhile.
 */
async function takeSnapshot(dataDir: string, path: string): Promise<{ build: number; catalogue: FileHandle | undefined }> {
  const main = new SqliteFile(databaseFile(dataDir), { fileMustExist: true, timeout: 5000 })
  const readBuild = (handle: SqliteHandle) => Number(handle.prepare("select value from state where key = 'catalogue'").pluck().get())
  try {
    for (let attempt = 1; attempt <= SNAPSHOT_ATTEMPTS; attempt++) {
      const build = readBuild(main)
      const catalogue = build === 0 ? undefined : await openIfExists(catalogueFile(dataDir, build))
      main.prepare('vacuum into ?').run(path)
      const copy = new SqliteFile(path, { readonly: true })
      const isConsistent = readBuild(copy) === build && (build === 0 || catalogue !== undefined)
      copy.close()
      if (isConsistent) return { build, catalogue }
      await catalogue?.close()
      await truncate(path)
    }
  } finally {
    main.close()
  }
  throw new StorageError('corrupt', `The catalogue of ${dataDir} is missing, or imports follow each other; try again.`)
}

async function addFile(archive: SqliteHandle, name: string, file: FileHandle): Promise<void> {
  const addPart = archive.prepare('insert into parts (name, no, content) values (?, ?, ?)')
  const hash = createHash('sha256')
  let bytes = 0
  for (let no = 0; ; no++) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, bytes)
    if (bytesRead === 0) break
    const part = buffer.subarray(0, bytesRead)
    hash.update(part)
    addPart.run(name, no, part)
    bytes += bytesRead
  }
  archive.prepare('insert into files (name, bytes, sha256) values (?, ?, ?)').run(name, bytes, hash.digest('hex'))
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync()
  await file.close()
}

/**
 * Writes a backup of `dataDir` to a new file, even while the server runs. Returns its size.
 * @throws StorageError if there is no database, or if the file exists already
 */
export async function createBackup(dataDir: string, path: string): Promise<number> {
  if (!existsSync(databaseFile(dataDir))) throw new StorageError('failed', `There is no database in ${dataDir}.`)
  try {
    // Only the owner may read the file, because it contains password hashes and keys.
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new StorageError('failed', `${path} exists already; a backup overwrites nothing.`)
    throw new StorageError('unreachable', `${path} cannot be written (${error instanceof Error ? error.message : ''}).`)
  }
  const snapshotPath = `${path}.snapshot`
  const openedFiles: FileHandle[] = []
  const archive = new SqliteFile(path)
  try {
    await (await open(snapshotPath, 'wx', 0o600)).close()
    archive.pragma('journal_mode = off')
    archive.pragma('synchronous = off')
    archive.exec(`begin; create table files (name text primary key, bytes integer not null, sha256 text not null);
      create table parts (name text not null, no integer not null, content blob not null, primary key (name, no))`)
    const { build, catalogue } = await takeSnapshot(dataDir, snapshotPath)
    if (catalogue !== undefined) openedFiles.push(catalogue)
    requireIntact(snapshotPath)
    // An import may have removed the catalogue since it was opened.
    if (existsSync(catalogueFile(dataDir, build))) requireIntact(catalogueFile(dataDir, build))
    const sources: (readonly [string, FileHandle | undefined])[] = [
      ['varispeed.sqlite', await open(snapshotPath)],
      [`catalogue-${build}.sqlite`, catalogue],
    ]
    for (const name of otherFiles) sources.push([name, await openIfExists(join(dataDir, name))])
    for (const [name, file] of sources) {
      if (file === undefined) continue
      if (file !== catalogue) openedFiles.push(file)
      await addFile(archive, name, file)
    }
    archive.exec(`commit; pragma application_id = ${APPLICATION_ID}; pragma user_version = ${FORMAT}`)
    archive.close()
    await syncToDisk(path)
    return (await stat(path)).size
  } catch (error) {
    archive.close()
    await rm(path, { force: true })
    throw asStorageError(error, databaseFile(dataDir))
  } finally {
    for (const file of openedFiles) await file.close()
    await rm(snapshotPath, { force: true })
  }
}

function openReadable(path: string): SqliteHandle {
  try {
    return new SqliteFile(path, { readonly: true })
  } catch (error) {
    throw new StorageError('unreachable', `${path} cannot be read.`, { cause: error })
  }
}

function openBackup(path: string): SqliteHandle {
  const refusal = () => new StorageError('corrupt', `${path} is no complete backup of this program.`)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new StorageError('failed', `There is no file ${path}.`)
  const archive = openReadable(path)
  try {
    if (archive.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw refusal()
    if (archive.pragma('user_version', { simple: true }) !== FORMAT)
      throw new StorageError('version', `${path} was made by another version of this program.`)
    return archive
  } catch (error) {
    archive.close()
    throw error instanceof StorageError ? error : refusal()
  }
}

interface BackupFile {
  name: string
  bytes: number
  sha256: string
}

async function extractFile(archive: SqliteHandle, { name, bytes, sha256 }: BackupFile, dir: string): Promise<void> {
  const path = join(dir, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let written = 0
  try {
    for (const part of archive.prepare('select content from parts where name = ? order by no').pluck().iterate(name)) {
      if (!Buffer.isBuffer(part)) break
      hash.update(part)
      await file.write(part)
      written += part.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  if (written !== bytes || hash.digest('hex') !== sha256)
    throw new StorageError('corrupt', `The backup is damaged: ${name} has other bytes.`)
}

/**
 * Extracts the files of a backup into a new folder.
 * @throws StorageError if the file is not a backup, or is damaged
 */
export async function extractBackup(path: string, dir: string): Promise<void> {
  const archive = openBackup(path)
  try {
    const files = archive.prepare<[], BackupFile>('select name, bytes, sha256 from files').all()
    const wrongName = files.find(({ name }) => !FILE_NAME.test(name))
    if (wrongName !== undefined || !files.some(({ name }) => name === 'varispeed.sqlite'))
      throw new StorageError('corrupt', `${path} is no complete backup of this program.`)
    for (const file of files) await extractFile(archive, file, dir)
  } catch (error) {
    throw asStorageError(error, path)
  } finally {
    archive.close()
  }
}

/**
 * Checks that no other process has the database open, and moves the content of the write-ahead log into the database file. A damaged database
 * counts as unused.
 * @throws StorageError if a process uses it
 */
export function requireUnusedDatabase(dataDir: string): void {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return
  const handle = new SqliteFile(file, { timeout: 0 })
  try {
    // In exclusive mode, SQLite has to lock the file for itself, which fails if any other process has it open.
    handle.pragma('locking_mode = exclusive')
    handle.exec('begin exclusive; commit')
    handle.pragma('wal_checkpoint(truncate)')
  } catch (error) {
    const storageError = asStorageError(error, file)
    if (storageError instanceof StorageError && storageError.fault === 'corrupt') return
    if (storageError instanceof StorageError && storageError.fault === 'busy')
      throw new StorageError('busy', `The database ${file} is in use: stop the server first.`)
    throw storageError
  } finally {
    handle.close()
  }
}

/** Replaces the files of `dataDir` by those of `newDir`, and moves the old ones to `oldDir`. All are on the same disk. */
export async function replaceFiles(dataDir: string, newDir: string, oldDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) if (REPLACED_ENTRY.test(name)) await rename(join(dataDir, name), join(oldDir, name))
  for (const name of await readdir(newDir)) if (REPLACED_ENTRY.test(name)) await rename(join(newDir, name), join(dataDir, name))
  await syncToDisk(dataDir)
}
