import { StorageError } from '../errors.ts'
import { asStorageError, type SqliteConnection } from './sqlite-connection.ts'
import { findUnindexedSongs } from './sqlite-search.ts'

function checkFile({ handle }: SqliteConnection, schema: 'main' | 'catalogue'): string[] {
  const rows = handle.prepare(`pragma ${schema}.integrity_check(5)`).pluck().all().map(String)
  return rows.flatMap((row) => (row === 'ok' ? [] : row.split('\n'))).map((line) => `${schema}: ${line}`)
}

function checkReferences({ handle }: SqliteConnection): string[] {
  const count = handle.prepare('pragma foreign_key_check').all().length
  return count === 0 ? [] : [`${count} rows refer to rows that do not exist`]
}

function checkSearch(connection: SqliteConnection): string[] {
  const unindexed = findUnindexedSongs(connection)
  return unindexed.length === 0 ? [] : [`the search does not find ${unindexed.slice(0, 3).join(', ')}`]
}

/**
 * Checks the main file of a connection, the catalogue that is attached as `catalogue`, and the search index. Returns a list of damages, one line
 * each.
 */
export function findDamage(connection: SqliteConnection, { main, catalogue }: { main: string; catalogue: string }): string[] {
  const checks = [
    [main, () => [...checkFile(connection, 'main'), ...checkReferences(connection)]],
    [catalogue, () => [...checkFile(connection, 'catalogue'), ...checkSearch(connection)]],
  ] as const
  return checks.flatMap(([file, check]) => {
    try {
      return check()
    } catch (error) {
      const storageError = asStorageError(error, file)
      if (storageError instanceof StorageError) return [storageError.message]
      throw storageError
    }
  })
}
