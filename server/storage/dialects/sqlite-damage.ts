import { StorageError } from '../errors.ts'
import { type SqliteConnection, toStorageError } from './sqlite-connection.ts'
import { findUnindexedSongs } from './sqlite-search.ts'

function checkFile({ handle }: SqliteConnection, schemaName: 'main' | 'catalogue'): string[] {
  const rows = handle.prepare(`pragma ${schemaName}.integrity_check(5)`).pluck().all().map(String)
  return rows.flatMap((row) => (row === 'ok' ? [] : row.split('\n'))).map((line) => `${schemaName}: ${line}`)
}

function checkReferences({ handle }: SqliteConnection): string[] {
  const count = handle.prepare('pragma foreign_key_check').all().length
  return count === 0 ? [] : [`${count} rows refer to rows that do not exist`]
}

function checkSearchIndex(connection: SqliteConnection): string[] {
  const unindexed = findUnindexedSongs(connection)
  return unindexed.length === 0 ? [] : [`the search does not find ${unindexed.slice(0, 3).join(', ')}`]
}

/**
 * Checks the main file of a connection, the catalogue that is attached as `catalogue`, and the search index. Returns a list of damages, one line
 * each.
 */
export function findDamage(connection: SqliteConnection, { main, catalogue }: { main: string; catalogue: string }): string[] {
  const fileChecks = [
    [main, () => [...checkFile(connection, 'main'), ...checkReferences(connection)]],
    [catalogue, () => [...checkFile(connection, 'catalogue'), ...checkSearchIndex(connection)]],
  ] as const
  return fileChecks.flatMap(([filePath, runCheck]) => {
    try {
      return runCheck()
    } catch (error) {
      const storageError = toStorageError(error, filePath)
      if (storageError instanceof StorageError) return [storageError.message]
      throw storageError
    }
  })
}
