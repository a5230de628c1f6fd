import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

export const createDatabasePath = (dataDir: string) => join(dataDir, 'varispeed.sqlite')
export const createCataloguePath = (dataDir: string, buildNumber: number) => join(dataDir, `catalogue-${buildNumber}.sqlite`)

/**
 * Creates a file that only its owner can access, unless the file exists. SQLite creates the other files of a database with the same mode. Errors
 * are ignored here: SQLite reports them when it opens the file.
 */
export function createPrivateFile(filePath: string): void {
  try {
    // Closing an existing database file would release the POSIX locks that this process holds on it.
    closeSync(openSync(filePath, 'wx', 0o600))
  } catch {}
}
