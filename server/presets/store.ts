import type { PresetSettings } from '../../contract/presets.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/** The presets of the maker, by uid of an account of this server or of a Firebase project. */
interface MakerPresetsTable {
  uid: string
  name: string
  /** JSON of the settings; empty for a deleted preset, so that an older change does not bring the preset back. */
  settings: string
  changed: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    maker_presets: MakerPresetsTable
  }
}

export const createMakerPresetsTable = ({ text }: SqlTypes): string[] => [
  `create table maker_presets (
    uid ${text} not null, name ${text} not null, settings ${text} not null, changed bigint not null, primary key (uid, name))`,
]

/** A change of a preset. `settings` is `null` if the preset was deleted. */
export interface PresetRowChange {
  name: string
  settings: PresetSettings | null
  changedMs: number
}

/** The most rows of an account, those of deleted presets included. Rows that were changed earlier are deleted. */
const MAX_ROWS_PER_ACCOUNT = 200

export async function deletePresets(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('maker_presets').where('uid', '=', uid).execute()
}

/** Stores the presets that accounts have saved in the maker. */
export function createPresetStore(database: Database) {
  return {
    /** Stores changes, unless the account has a later one of the same name. */
    change: (uid: string, changes: readonly PresetRowChange[]): Promise<void> =>
      database.write(async (queries) => {
        for (const { name, settings, changedMs } of changes) {
          const presetRow = { settings: settings === null ? '' : JSON.stringify(settings), changed: changedMs }
          await queries
            .insertInto('maker_presets')
            .values({ uid, name, ...presetRow })
            .onConflict((conflict) =>
              conflict.columns(['uid', 'name']).doUpdateSet(presetRow).where('maker_presets.changed', '<=', changedMs),
            )
            .execute()
        }
        const outdatedPresets = queries
          .selectFrom('maker_presets')
          .select('name')
          .where('uid', '=', uid)
          .orderBy('changed', 'desc')
          .orderBy('name')
          .limit(MAX_ROWS_PER_ACCOUNT)
          .offset(MAX_ROWS_PER_ACCOUNT)
        await queries.deleteFrom('maker_presets').where('uid', '=', uid).where('name', 'in', outdatedPresets).execute()
      }),
    /** Returns the presets of an account. The preset that was changed last is the last one. */
    async list(uid: string): Promise<{ name: string; settings: PresetSettings; changed_at: string }[]> {
      const presetRows = await database.queries
        .selectFrom('maker_presets')
        .selectAll()
        .where('uid', '=', uid)
        .where('settings', '!=', '')
        .orderBy('changed')
        .orderBy('name')
        .execute()
      return presetRows.map(({ name, settings, changed }) => ({
        name,
        settings: JSON.parse(settings) as PresetSettings,
        changed_at: new Date(changed).toISOString(),
      }))
    },
  }
}
