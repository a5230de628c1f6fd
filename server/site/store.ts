import { createHash } from 'node:crypto'
import type { ContentSettings } from '../../contract/content.ts'
import type { SettingKey } from '../../contract/site.ts'
import type { Database, SqlTypes } from '../storage/database.ts'
import type { LogoType } from './logo-types.ts'

/** A setting's value. An empty `brand_id` means all brands. */
interface SettingsTable {
  key: string
  brand_id: string
  value: string
}

/** The pictures that are used as logos, by the hash of their bytes. */
interface LogosTable {
  hash: string
  type: string
  base64: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    settings: SettingsTable
    logos: LogosTable
  }
}

export const createLogosTable = ({ text }: SqlTypes): string[] => [
  `create table logos (hash ${text} primary key, type ${text} not null, base64 ${text} not null)`,
]

/** The keys of all settings, including those that hold long texts. */
export type StoredSettingKey = SettingKey | keyof ContentSettings

/** The brand id in rows of values that apply to all brands. */
const EVERY_BRAND_ID = ''

export function createSettingsStore(database: Database) {
  return {
    /** Returns the stored values that apply to a brand. A value of the brand overrides a value for all brands. */
    readForBrand: async (brandId: string): Promise<Partial<Record<StoredSettingKey, string>>> => {
      const settingRows = await database.queries
        .selectFrom('settings')
        .select(['key', 'value'])
        .where('brand_id', 'in', [EVERY_BRAND_ID, brandId])
        .orderBy('brand_id')
        .execute()
      const valueByKey: Partial<Record<StoredSettingKey, string>> = {}
      // The casts are safe because only `set` writes keys. Rows of the brand come last and override those of all brands.
      for (const row of settingRows) valueByKey[row.key as StoredSettingKey] = row.value
      return valueByKey
    },
    /** Stores a picture, and returns the hash by which `readLogo` finds it. */
    putLogo: async (type: LogoType, logoBytes: Buffer): Promise<string> => {
      const hash = createHash('sha256').update(logoBytes).digest('hex').slice(0, 32)
      await database.write(async (queries) => {
        await queries
          .insertInto('logos')
          .values({ hash, type, base64: logoBytes.toString('base64') })
          .onConflict((conflict) => conflict.column('hash').doUpdateSet({ type }))
          .execute()
      })
      return hash
    },
    readLogo: async (logoHash: string): Promise<{ type: LogoType; bytes: Buffer } | undefined> => {
      const row = await database.queries.selectFrom('logos').selectAll().where('hash', '=', logoHash).executeTakeFirst()
      // The cast is safe, because only `putLogo` writes rows of this table.
      return row && { type: row.type as LogoType, bytes: Buffer.from(row.base64, 'base64') }
    },
    /** Stores a value for a brand, or for all brands if `brandId` is undefined. `storedValue` undefined restores the brand's default. */
    set: (key: StoredSettingKey, storedValue: string | undefined, brandId: string | undefined = EVERY_BRAND_ID): Promise<void> =>
      database.writeWithRevision(async (queries) => {
        if (storedValue === undefined) {
          await queries.deleteFrom('settings').where('key', '=', key).where('brand_id', '=', brandId).execute()
        } else {
          await queries
            .insertInto('settings')
            .values({ key, brand_id: brandId, value: storedValue })
            .onConflict((conflict) => conflict.columns(['key', 'brand_id']).doUpdateSet({ value: storedValue }))
            .execute()
        }
      }),
  }
}
export type SettingsStore = ReturnType<typeof createSettingsStore>
