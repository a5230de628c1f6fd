/** A row as the database stores it. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Reads whole tables from one snapshot of a database. Tables of the catalogue have the prefix `catalogue.`; search indexes are left out. */
export interface TableReader {
  listTables(): readonly string[]
  readRows(table: string): Iterable<StoredRow> | AsyncIterable<StoredRow>
}
