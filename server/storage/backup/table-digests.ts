import { createHash } from 'node:crypto'
import type { StoredRow } from '../table-reader.ts'

/** The number of rows of a table, and a digest that does not depend on their order. */
export interface TableDigest {
  rows: number
  digest: string
}

export type TableDigests = Readonly<Record<string, TableDigest>>

/** The tables whose rows differ between databases with the same content: which migrations were applied when, and counters of the database itself. */
export const uncomparedTables: ReadonlySet<string> = new Set(['migrations', 'state'])

const DIGEST_RANGE = 2n ** 256n

/** Creates a digest of a table, to which the rows are added one by one. Equal rows of SQLite and PostgreSQL have equal digests. */
export function createTableDigest() {
  let rowCount = 0
  let digestSum = 0n
  let columnTexts: string[] = []
  return {
    add: (row: StoredRow): void => {
      if (rowCount === 0) columnTexts = Object.keys(row).sort()
      rowCount++
      const hash = createHash('sha256').update(JSON.stringify(columnTexts.map((column) => [column, row[column]])))
      digestSum = (digestSum + BigInt(`0x${hash.digest('hex')}`)) % DIGEST_RANGE
    },
    read: (): TableDigest => ({ rows: rowCount, digest: digestSum.toString(16).padStart(64, '0') }),
  }
}

/** Returns a line for each table whose rows differ. */
export function compareDigests(expectedDigests: TableDigests, actualDigests: TableDigests): string[] {
  const tableNames = new Set([...Object.keys(expectedDigests), ...Object.keys(actualDigests)])
  return [...tableNames].flatMap((tableName) => {
    const [before, after] = [expectedDigests[tableName], actualDigests[tableName]]
    if (before?.digest === after?.digest && before?.rows === after?.rows) return []
    return [`${tableName} has ${after?.rows ?? 'no'} rows, other than the ${before?.rows ?? 0} of the site`]
  })
}
