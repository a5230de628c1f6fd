import { createHash } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import type { LogoType, SettingsStore, StoredKey } from '../storage/interfaces/settings.ts'

/** Brand id of values that apply to all brands. */
const EVERY_BRAND = ''

export function createSettingsStore(database: Database): SettingsStore {
  return {
    readForBrand: async (brandId) => {
      const rows = await database.queries
        .selectFrom('settings')
        .select(['key', 'value'])
        .where('brand_id', 'in', [EVERY_BRAND, brandId])
        .orderBy('brand_id')
        .execute()
      const values: Partial<Record<StoredKey, string>> = {}
      // The casts are safe because only `set` writes keys. Rows of the brand come last and override those of all brands.
      for (const row of rows) values[row.key as StoredKey] = row.value
      return values
    },
    putLogo: async (type, bytes) => {
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      await database.write(async (queries) => {
        await queries
          .insertInto('logos')
          .values({ hash, type, base64: bytes.toString('base64') })
          .onConflict((conflict) => conflict.column('hash').doUpdateSet({ type }))
          .execute()
      })
      return hash
    },
    readLogo: async (hash) => {
      const row = await database.queries.selectFrom('logos').selectAll().where('hash', '=', hash).executeTakeFirst()
      // The cast is safe because only `putLogo` writes rows.
      return row && { type: row.type as LogoType, bytes: Buffer.from(row.base64, 'base64') }
    },
    set: (key, value, brandId = EVERY_BRAND) =>
      database.writeWithRevision(async (queries) => {
        if (value === undefined) {
          await queries.deleteFrom('settings').where('key', '=', key).where('brand_id', '=', brandId).execute()
        } else {
          await queries
            .insertInto('settings')
            .values({ key, brand_id: brandId, value })
            .onConflict((conflict) => conflict.columns(['key', 'brand_id']).doUpdateSet({ value }))
            .execute()
        }
      }),
  }
}
