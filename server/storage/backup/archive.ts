import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { toStorageError } from '../dialects/sqlite-connection.ts'
import { StorageError } from '../errors.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import type { TableDigests } from './table-digests.ts'

/*
 * A backup is one SQLite file, which holds files of a data directory in parts: a main database and a catalogue of SQLite, whichever database the site
 * uses, the signing keys, the progress of imports, and the files of conversions. Its tables: `files (name, bytes, sha256)`, `parts (name, no, content)`,
 * and since format 2 `tables (name, rows, digest)` and `facts (name, value)`. `application_id` and `user_version` are written last, so that an
 * incomplete file is no backup.
 */

const APPLICATION_ID = 0x56617273
const ARCHIVE_FORMAT_VERSION = 2
/** The format without digests of tables. */
const FIRST_FORMAT_VERSION = 1
const FILE_PART_BYTES = 1024 * 1024

const ARCHIVED_FILE_NAME =
  /^(?:varispeed\.sqlite|catalogue-\d{1,20}\.sqlite|identity\/keys\.json|youtube-members\.json|conversions\/[\w-]{1,64}\.(?:in|out))$/

/** The metadata of a backup. */
export interface BackupFacts {
  /** The version of the program that made the backup. */
  build: string
  /** The name of the newest migration of the database. */
  schema: string
  /** The kind of the database. */
  database: string
  /** The time of the backup in ISO 8601. */
  time: string
}

export const hasErrorCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code

async function syncToDisk(filePath: string): Promise<void> {
  const file = await open(filePath, 'r')
  await file.sync()
  await file.close()
}

/** The files that all processes of a site share. */
export interface SharedFiles {
  open(name: string): Promise<Readable | undefined>
  list(folder: string): Promise<string[]>
}

/** Opens a file for a backup; resolves with undefined if it does not exist. */
export type OpenFile = () => Promise<Readable | undefined>

/** Returns the function that opens a file of this machine. */
export const openFileAt =
  (filePath: string): OpenFile =>
  async () => {
    try {
      return (await open(filePath, 'r')).createReadStream({ highWaterMark: FILE_PART_BYTES })
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

/** Adds a file, if it exists: a conversion or an import may delete its file while the backup is made. */
async function addFile(archive: SqliteHandle, archivedName: string, openFile: OpenFile): Promise<void> {
  const fileStream = await openFile()
  if (fileStream === undefined) return
  const addPart = archive.prepare('insert into parts (name, no, content) values (?, ?, ?)')
  const hash = createHash('sha256')
  let [writtenBytes, partNumber] = [0, 0]
  for await (const contentPart of fileStream) {
    hash.update(contentPart)
    addPart.run(archivedName, partNumber++, contentPart)
    writtenBytes += contentPart.length
  }
  archive.prepare('insert into files (name, bytes, sha256) values (?, ?, ?)').run(archivedName, writtenBytes, hash.digest('hex'))
}

/** Writes an archive to a new file. `files` opens the files by their names in the archive; a missing file is left out. Returns the number of files. */
export async function writeArchive(
  filePath: string,
  { files, tables, facts }: { files: ReadonlyMap<string, OpenFile>; tables: TableDigests; facts: BackupFacts },
): Promise<number> {
  // Only the owner may read the file, because it contains password hashes and keys.
  await (await open(filePath, 'wx', 0o600)).close()
  const archiveDatabase = new SqliteFile(filePath)
  let rowCount = 0
  try {
    archiveDatabase.pragma('journal_mode = off')
    archiveDatabase.pragma('synchronous = off')
    archiveDatabase.exec(`begin; create table files (name text primary key, bytes integer not null, sha256 text not null);
      create table parts (name text not null, no integer not null, content blob not null, primary key (name, no));
      create table tables (name text primary key, rows integer not null, digest text not null);
      create table facts (name text primary key, value text not null)`)
    for (const [name, openFile] of files) await addFile(archiveDatabase, name, openFile)
    for (const [name, { rows, digest }] of Object.entries(tables))
      archiveDatabase.prepare('insert into tables values (?, ?, ?)').run(name, rows, digest)
    for (const [name, value] of Object.entries(facts)) archiveDatabase.prepare('insert into facts values (?, ?)').run(name, value)
    rowCount = Number(archiveDatabase.prepare('select count(*) from files').pluck().get())
    archiveDatabase.exec(`commit; pragma application_id = ${APPLICATION_ID}; pragma user_version = ${ARCHIVE_FORMAT_VERSION}`)
  } catch (error) {
    throw toStorageError(error, filePath)
  } finally {
    archiveDatabase.close()
  }
  await syncToDisk(filePath)
  return rowCount
}

function openReadOnly(filePath: string): SqliteHandle {
  try {
    return new SqliteFile(filePath, { readonly: true })
  } catch (error) {
    throw new StorageError('unreachable', `${filePath} cannot be read.`, { cause: error })
  }
}

function openArchive(filePath: string): { archive: SqliteHandle; format: number } {
  const createRefusal = () => new StorageError('corrupt', `${filePath} is no complete backup of this program.`)
  if (statSync(filePath, { throwIfNoEntry: false })?.isFile() !== true) throw new StorageError('failed', `There is no file ${filePath}.`)
  const archiveDatabase = openReadOnly(filePath)
  try {
    if (archiveDatabase.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw createRefusal()
    const formatVersion = Number(archiveDatabase.pragma('user_version', { simple: true }))
    if (formatVersion > ARCHIVE_FORMAT_VERSION)
      throw new StorageError('version', `${filePath} was made by a newer version of this program; update the program.`)
    if (formatVersion < FIRST_FORMAT_VERSION) throw createRefusal()
    return { archive: archiveDatabase, format: formatVersion }
  } catch (error) {
    archiveDatabase.close()
    throw error instanceof StorageError ? error : createRefusal()
  }
}

interface ArchivedFile {
  name: string
  bytes: number
  sha256: string
}

async function extractFile(archive: SqliteHandle, { name, bytes, sha256 }: ArchivedFile, targetDir: string): Promise<void> {
  const filePath = join(targetDir, name)
  await mkdir(dirname(filePath), { recursive: true, mode: 0o700 })
  const fileHandle = await open(filePath, 'wx', 0o600)
  const hash = createHash('sha256')
  let writtenBytes = 0
  try {
    for (const contentPart of archive.prepare('select content from parts where name = ? order by no').pluck().iterate(name)) {
      if (!Buffer.isBuffer(contentPart)) break
      hash.update(contentPart)
      await fileHandle.write(contentPart)
      writtenBytes += contentPart.length
    }
    await fileHandle.sync()
  } finally {
    await fileHandle.close()
  }
  if (writtenBytes !== bytes || hash.digest('hex') !== sha256)
    throw new StorageError('corrupt', `The backup is damaged: ${name} has other bytes.`)
}

/**
 * Extracts the files of a backup into an existing folder. Returns the digests of the tables of its database; undefined if the backup has none.
 * @throws StorageError if the file is not a backup, is damaged, or if the disk is full
 */
export async function extractArchive(filePath: string, targetDir: string): Promise<TableDigests | undefined> {
  const { archive, format } = openArchive(filePath)
  try {
    const archivedFiles = archive.prepare<[], ArchivedFile>('select name, bytes, sha256 from files').all()
    const wrongName = archivedFiles.find(({ name }) => !ARCHIVED_FILE_NAME.test(name))
    if (wrongName !== undefined || !archivedFiles.some(({ name }) => name === 'varispeed.sqlite'))
      throw new StorageError('corrupt', `${filePath} is no complete backup of this program.`)
    for (const file of archivedFiles) await extractFile(archive, file, targetDir)
    if (format === FIRST_FORMAT_VERSION) return undefined
    const tables = archive.prepare<[], { name: string; rows: number; digest: string }>('select name, rows, digest from tables').all()
    return Object.fromEntries(tables.map(({ name, rows, digest }) => [name, { rows, digest }]))
  } catch (error) {
    throw toStorageError(error, filePath)
  } finally {
    archive.close()
  }
}
