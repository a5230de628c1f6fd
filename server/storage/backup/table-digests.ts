import { createHash } from 'node:crypto'
import type { StoredRow } from '../table-reader.ts'

/** The number of rows of a table, and a digest that does not depend on their order. */
export interface TableDigest {
  rows: number
  digest: string
}

export type TableDigests = Readonly<Record<string, TableDigest>>

/** The tables whose rows differ between databases with the same content: which migrations were applied when, and counters of the database itself. */
export const technicalTables: ReadonlySet<string> = new Set(['migrations', 'state'])

const DIGEST_RANGE = 2n ** 256n

/** Creates a digest of a table, to which the rows are added one by one. Equal rows of SQLite and PostgreSQL have equal digests. */
export function createTableDigest() {
  let rows = 0
  let sum = 0n
  let columns: string[] = []
  return {
    add: (row: StoredRow): void => {
      if (rows === 0) columns = Object.keys(row).sort()
      rows++
      const hash = createHash('sha256').update(JSON.stringify(columns.map((column) => [column, row[column]])))
      sum = (sum + BigInt(`0x${hash.digest('hex')}`)) % DIGEST_RANGE
    },
    read: (): TableDigest => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  }
}

/** Returns a line for each table whose rows differ. */
export function compareDigests(expectedDigests: TableDigests, actualDigests: TableDigests): string[] {
  const tables = new Set([...Object.keys(expectedDigests), ...Object.keys(actualDigests)])
  return [...tables].flatMap((table) => {
    const [before, after] = [expectedDigests[table], actualDigests[table]]
    if (before?.digest === after?.digest && before?.rows === after?.rows) return []
    return [`${table} has ${after?.rows ?? 'no'} rows, other than the ${before?.rows ?? 0} of the site`]
  })
}
