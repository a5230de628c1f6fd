import type { SettingKey } from '../../contract/site.ts'
import type { Database } from './database.ts'
import type { SettingsStore } from './storage.ts'

/** The brand id of a value that is set for every brand. */
const EVERY_BRAND = ''

export function createSettingsStore(database: Database): SettingsStore {
  return {
    forBrand: async (brandId) => {
      const rows = await database.queries
        .selectFrom('settings')
        .select(['key', 'value'])
        .where('brand_id', 'in', [EVERY_BRAND, brandId])
        .orderBy('brand_id')
        .execute()
      const values: Partial<Record<SettingKey, string>> = {}
      // Only `set` writes keys, and it takes no others; the brand's own rows come last and win.
      for (const row of rows) values[row.key as SettingKey] = row.value
      return values
    },
    set: (key, value, brandId = EVERY_BRAND) =>
      database.writeRevised(async (queries) => {
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
