import { existsSync } from 'node:fs'
import { StorageError } from '../errors.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import { toStorageError } from './sqlite-connection.ts'
import { createDatabasePath, createPrivateFile } from './sqlite-files.ts'

/**
 * Takes a lock that is shared by all processes that use its file. Returns a function that unlocks; undefined if another process has the lock. The
 * operating system releases the lock if the process is killed.
 */
export function takeFileLock(filePath: string): (() => void) | undefined {
  createPrivateFile(filePath)
  const lockFile = new SqliteFile(filePath, { timeout: 0 })
  try {
    lockFile.exec('begin exclusive')
  } catch (error) {
    lockFile.close()
    const storageError = toStorageError(error, filePath)
    if (storageError instanceof StorageError && storageError.fault === 'busy') return undefined
    throw storageError
  }
  return () => lockFile.close()
}

/**
 * Checks that no other process has the database open, and moves the content of the write-ahead log into the database file. A damaged database
 * counts as unused.
 * @throws StorageError if a process uses it
 */
export function requireUnusedDatabase(dataDir: string): void {
  const filePath = createDatabasePath(dataDir)
  if (!existsSync(filePath)) return
  const databaseHandle = new SqliteFile(filePath, { timeout: 0 })
  try {
    // In exclusive mode, SQLite has to lock the file for itself, which fails if any other process has it open.
    databaseHandle.pragma('locking_mode = exclusive')
    databaseHandle.exec('begin exclusive; commit')
    databaseHandle.pragma('wal_checkpoint(truncate)')
  } catch (error) {
    const storageError = toStorageError(error, filePath)
    if (storageError instanceof StorageError && storageError.fault === 'corrupt') return
    if (storageError instanceof StorageError && storageError.fault === 'busy')
      throw new StorageError('busy', `The database ${filePath} is in use: stop the server first.`)
    throw storageError
  } finally {
    databaseHandle.close()
  }
}
