import { sql } from 'kysely'
import { type DatabaseKind, type Queries, sqlTypes } from './database.ts'
import { StorageError } from './errors.ts'
import { migrations } from './migrations.ts'

/**
 * Applies the pending migrations of the main schema. `queries` must be in a transaction that holds the write lock, so that concurrent processes apply
 * each migration once.
 * @throws StorageError if a newer program version has migrated the database
 */
export async function applyMigrations(queries: Queries, kind: DatabaseKind): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, applied bigint not null)`.execute(queries)
  const migrationRows = await queries.selectFrom('migrations').select('name').execute()
  const appliedNames = new Set(migrationRows.map((row) => row.name))
  const knownNames = new Set(migrations.map((migration) => migration.name))
  const unknownName = [...appliedNames].find((name) => !knownNames.has(name))
  if (unknownName !== undefined) {
    throw new StorageError(
      'version',
      `The database was changed by a newer version of this program (it has '${unknownName}'); update the program.`,
    )
  }
  const pendingMigrations = migrations.filter(({ name }) => !appliedNames.has(name))
  // Waits for a backup, which holds a lock that conflicts with this one, before the migrations lock tables that requests need.
  if (kind === 'postgres' && pendingMigrations.length > 0) await sql`lock table migrations in row exclusive mode`.execute(queries)
  for (const nextMigration of pendingMigrations) {
    for (const statement of nextMigration.statements(sqlTypes[kind])) await sql.raw(statement).execute(queries)
    await queries.insertInto('migrations').values({ name: nextMigration.name, applied: Date.now() }).execute()
  }
}
