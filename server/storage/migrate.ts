import { sql } from 'kysely'
import type { Queries } from './database.ts'
import { StorageError } from './errors.ts'
import type { DatabaseKind } from './kind.ts'
import { statements as start } from './migrations/001-start.ts'
import { statements as accounts } from './migrations/002-accounts.ts'
import { statements as discord } from './migrations/003-discord.ts'
import { statements as make } from './migrations/004-make.ts'
import { statements as changes } from './migrations/005-changes.ts'
import { statements as unplayablePlays } from './migrations/006-unplayable-plays.ts'
import { statements as mails } from './migrations/007-mails.ts'
import { statements as feedContentTree } from './migrations/008-feed-content-tree.ts'
import { statements as logos } from './migrations/009-logos.ts'
import { statements as radio } from './migrations/010-radio.ts'
import { statements as salts } from './migrations/011-salts.ts'
import { statements as durations } from './migrations/012-durations.ts'
import { statements as radioListeners } from './migrations/013-radio-listeners.ts'
import { statements as promotions } from './migrations/014-promotions.ts'
import { statements as payments } from './migrations/015-payments.ts'
import { statements as websites } from './migrations/016-websites.ts'
import { statements as conversions } from './migrations/017-conversions.ts'
import { statements as websiteBanners } from './migrations/018-website-banners.ts'
import { statements as accountRoles } from './migrations/019-account-roles.ts'
import { statements as accountMessages } from './migrations/020-account-messages.ts'
import { statements as supporterTexts } from './migrations/021-supporter-texts.ts'
import { statements as loginDetails } from './migrations/022-login-details.ts'
import { statements as bounds } from './migrations/023-bounds.ts'

export interface Migration {
  name: string
  statements: (kind: DatabaseKind) => string[]
}

/** Migrations in order. A released migration is never changed; later changes are new migrations. */
export const migrations: readonly Migration[] = [
  { name: '001-start', statements: start },
  { name: '002-accounts', statements: accounts },
  { name: '003-discord', statements: discord },
  { name: '004-make', statements: make },
  { name: '005-changes', statements: changes },
  { name: '006-unplayable-plays', statements: unplayablePlays },
  { name: '007-mails', statements: mails },
  { name: '008-feed-content-tree', statements: feedContentTree },
  { name: '009-logos', statements: logos },
  { name: '010-radio', statements: radio },
  { name: '011-salts', statements: salts },
  { name: '012-durations', statements: durations },
  { name: '013-radio-listeners', statements: radioListeners },
  { name: '014-promotions', statements: promotions },
  { name: '015-payments', statements: payments },
  { name: '016-websites', statements: websites },
  { name: '017-conversions', statements: conversions },
  { name: '018-website-banners', statements: websiteBanners },
  { name: '019-account-roles', statements: accountRoles },
  { name: '020-account-messages', statements: accountMessages },
  { name: '021-supporter-texts', statements: supporterTexts },
  { name: '022-login-details', statements: loginDetails },
  { name: '023-bounds', statements: bounds },
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
