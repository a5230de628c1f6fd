import { existsSync } from 'node:fs'
import { StorageError } from '../errors.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import { asStorageError } from './sqlite-connection.ts'
import { createPrivateFile, databaseFile } from './sqlite-files.ts'

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
    const storageError = asStorageError(error, filePath)
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
