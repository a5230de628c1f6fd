import { putChanged, putList } from './catalogue-rows.ts'
import type { Table, Tables } from './local-database.ts'

/** Writes the rows of a list and their order, and removes the rows of `table` that are neither in the list nor in `otherIds`. */
export async function writeList<T>(
  tables: Tables,
  table: Table<T>,
  keyOf: (row: T) => string,
  { key, rows, otherIds = [] }: { key: string; rows: readonly T[]; otherIds?: readonly string[] },
): Promise<void> {
  const ids = rows.map(keyOf)
  const listedIds = new Set([...ids, ...otherIds])
  await table.remove((await table.keys()).filter((id) => !listedIds.has(id)))
  await putChanged(table, keyOf, rows)
  await putList(tables, key, ids, true)
}
