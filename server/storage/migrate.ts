import { sql } from 'kysely'
import type { Queries } from './database.ts'
import { StorageError } from './errors.ts'
import { accountTables, changeTables, type DatabaseKind, discordTables, emptyCatalogue, mainTables, makeTables } from './tables.ts'

interface Migration {
  name: string
  statements: (kind: DatabaseKind) => string[]
}

/** In order; one that was released is never changed, a later change is a migration of its own. */
const migrations: readonly Migration[] = [
  {
    name: '001-start',
    statements: (kind) => [
      ...mainTables(kind),
      ...(kind === 'postgres' ? ['create extension if not exists pg_trgm', 'create schema catalogue'] : []),
      // SQLite keeps the catalogue in files of its own.
      ...(kind === 'postgres' ? emptyCatalogue(kind) : []),
    ],
  },
  { name: '002-accounts', statements: accountTables },
  { name: '003-discord', statements: discordTables },
  { name: '004-make', statements: makeTables },
  { name: '005-changes', statements: changeTables },
]

/**
 * Brings the main schema up to date. `queries` is inside a transaction that holds the write lock, so two processes that
 * open at once apply each migration once, wholly or not at all.
 * @throws StorageError where a newer program has already changed the database
 */
export async function migrate(queries: Queries, kind: DatabaseKind): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, applied bigint not null)`.execute(queries)
  const rows = await queries.selectFrom('migrations').select('name').execute()
  const applied = new Set(rows.map((row) => row.name))
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied].find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new StorageError(
      'version',
      `The database was changed by a newer version of this program (it has '${unknown}'); update the program.`,
    )
  }
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    for (const statement of migration.statements(kind)) await sql.raw(statement).execute(queries)
    await queries.insertInto('migrations').values({ name: migration.name, applied: Date.now() }).execute()
  }
}
