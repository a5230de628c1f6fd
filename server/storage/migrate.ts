import { sql } from 'kysely'
import { boundedTables } from './bounded-tables.ts'
import type { Queries } from './database.ts'
import { StorageError } from './errors.ts'
import {
  accountMessages,
  accountRoles,
  accountTables,
  bannerTables,
  conversionTables,
  type DatabaseKind,
  discordTables,
  durationTables,
  emptyCatalogue,
  favoriteTables,
  feedContentTree,
  loginDetails,
  logosTable,
  mailsTable,
  mainTables,
  makeTables,
  paymentTables,
  promotionTables,
  radioListenersTable,
  radioTable,
  saltsTable,
  supporterTexts,
  unplayablePlaysTable,
  websiteTables,
} from './tables.ts'

interface Migration {
  name: string
  statements: (kind: DatabaseKind) => string[]
}

/** Migrations in order. A released migration is never changed; later changes are new migrations. */
const migrations: readonly Migration[] = [
  {
    name: '001-start',
    statements: (kind) => [
      ...mainTables(kind),
      ...(kind === 'postgres' ? ['create extension if not exists pg_trgm', 'create schema catalogue'] : []),
      // Only PostgreSQL has the catalogue in the migrated database; SQLite has it in files of its own.
      ...(kind === 'postgres' ? emptyCatalogue(kind) : []),
    ],
  },
  { name: '002-accounts', statements: accountTables },
  { name: '003-discord', statements: discordTables },
  { name: '004-make', statements: makeTables },
  { name: '005-changes', statements: favoriteTables },
  { name: '006-unplayable-plays', statements: unplayablePlaysTable },
  { name: '007-mails', statements: mailsTable },
  { name: '008-feed-content-tree', statements: feedContentTree },
  { name: '009-logos', statements: logosTable },
  { name: '010-radio', statements: radioTable },
  { name: '011-salts', statements: saltsTable },
  { name: '012-durations', statements: durationTables },
  { name: '013-radio-listeners', statements: radioListenersTable },
  { name: '014-promotions', statements: promotionTables },
  { name: '015-payments', statements: paymentTables },
  { name: '016-websites', statements: websiteTables },
  { name: '017-conversions', statements: conversionTables },
  { name: '018-website-banners', statements: bannerTables },
  { name: '019-account-roles', statements: accountRoles },
  { name: '020-account-messages', statements: accountMessages },
  { name: '021-supporter-texts', statements: supporterTexts },
  { name: '022-login-details', statements: loginDetails },
  { name: '023-bounds', statements: boundedTables },
]

/**
 * Applies the pending migrations of the main schema. `queries` must be in a transaction that holds the write lock, so that concurrent processes apply
 * each migration once.
 * @throws StorageError if a newer program version has migrated the database
 */
export async function applyMigrations(queries: Queries, kind: DatabaseKind): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, applied bigint not null)`.execute(queries)
  const rows = await queries.selectFrom('migrations').select('name').execute()
  const appliedNames = new Set(rows.map((row) => row.name))
  const knownNames = new Set(migrations.map((migration) => migration.name))
  const unknownName = [...appliedNames].find((name) => !knownNames.has(name))
  if (unknownName !== undefined) {
    throw new StorageError(
      'version',
      `The database was changed by a newer version of this program (it has '${unknownName}'); update the program.`,
    )
  }
  for (const migration of migrations) {
    if (appliedNames.has(migration.name)) continue
    for (const statement of migration.statements(kind)) await sql.raw(statement).execute(queries)
    await queries.insertInto('migrations').values({ name: migration.name, applied: Date.now() }).execute()
  }
}
