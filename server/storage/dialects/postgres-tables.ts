import { sql } from 'kysely'
import { type Queries, sqlTypes } from '../database.ts'
import { StorageError } from '../errors.ts'
import { migrations } from '../migrations.ts'

/**
 * The comment of each table of this program in the schema of `migrations`. It tells an earlier version, which does not know all tables of a later one, which tables are not
 * those of other programs.
 */
const TABLE_MARK = 'A table of Varispeed.'

/** Returns the names of the tables that the migrations create outside the schema `catalogue`. */
function listCreatedTables(): string[] {
  const statements = migrations.flatMap((migration) => migration.statements(sqlTypes.postgres))
  return ['migrations', ...statements.flatMap((statement) => /^\s*create table (\w+)\s/.exec(statement)?.[1] ?? [])]
}

const selectTables = (conditionSql: ReturnType<typeof sql>) => sql<{ name: string }>`
  select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relnamespace = (select relnamespace from pg_class where oid = to_regclass('migrations')) and relkind = 'r' and ${conditionSql}`

/** Marks the tables of this program that have no mark. Tables that the user of the database does not own are left out, because only an owner can. */
export async function markTables(queries: Queries): Promise<void> {
  const { rows } = await selectTables(
    sql`relname = any(${listCreatedTables()}) and pg_has_role(relowner, 'usage') and obj_description(pg_class.oid, 'pg_class') is distinct from ${TABLE_MARK}`,
  ).execute(queries)
  for (const { name } of rows) await sql.raw(`comment on table ${name} is '${TABLE_MARK}'`).execute(queries)
}

async function isOfNewerVersion(queries: Queries): Promise<boolean> {
  const { rows: found } = await sql<{ exists: boolean }>`select to_regclass('migrations') is not null as exists`.execute(queries)
  if (found[0]?.exists !== true) return false
  const knownNames = new Set(migrations.map(({ name }) => name))
  const appliedMigrations = await queries.selectFrom('migrations').select('name').execute()
  return appliedMigrations.some(({ name }) => !knownNames.has(name))
}

/**
 * Deletes the tables and the catalogue of a database that a newer version has migrated, and no tables of other programs. Needs the rights of the owner of
 * the database and its tables.
 * @throws StorageError if another program's object depends on a table
 */
export async function dropNewerTables(queries: Queries): Promise<void> {
  if (!(await isOfNewerVersion(queries))) return
  const { rows } = await selectTables(sql`obj_description(pg_class.oid, 'pg_class') = ${TABLE_MARK}`).execute(queries)
  try {
    if (rows.length > 0) await sql.raw(`drop table ${rows.map(({ name }) => name).join(', ')}`).execute(queries)
    for (const schemaName of ['catalogue', 'catalogue_next']) await sql.raw(`drop schema if exists ${schemaName} cascade`).execute(queries)
  } catch (error) {
    if (error instanceof StorageError) throw error
    const detail = error instanceof Error && 'detail' in error && typeof error.detail === 'string' ? `: ${error.detail}` : ''
    throw new StorageError(
      'failed',
      `The tables of a newer version cannot be deleted: ${error instanceof Error ? error.message : error}${detail}`,
      {
        cause: error,
      },
    )
  }
}
