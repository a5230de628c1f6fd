import Type, { type Static } from 'typebox'
import { createDateTimeSchema } from './input-types.ts'
import { PRESET_CHANGES_MAX, PRESET_NAME_MAX_LENGTH } from './preset-rules.ts'

const percentSchema = Type.Number({ minimum: 0, maximum: 100, description: 'Percent.' })

/** The settings that a maker preset sets. */
export const PresetSettings = Type.Object({
  speed: Type.Number({ minimum: 0.1, maximum: 2 }),
  pitch: Type.Number({ minimum: -12, maximum: 12, description: 'Semitones.' }),
  reverb_size: percentSchema,
  reverb_amount: percentSchema,
  bass_db: Type.Number({ minimum: -12, maximum: 12 }),
})
export type PresetSettings = Static<typeof PresetSettings>

// A character outside of Unicode's basic multilingual plane counts twice.
const presetNameSchema = Type.String({ minLength: 1, maxLength: 2 * PRESET_NAME_MAX_LENGTH })

/** A change that saves or deletes a preset. */
const PresetChange = Type.Object({
  name: presetNameSchema,
  settings: Type.Union([PresetSettings, Type.Null()], { description: 'Null: the preset was deleted.' }),
  changed_at: createDateTimeSchema('When it was changed, ISO 8601; now, where that is to come or over a year ago.'),
})

/** A preset of an account. */
export const MakerPreset = Type.Object({
  name: presetNameSchema,
  settings: PresetSettings,
  changed_at: Type.String({ description: 'ISO 8601 UTC.' }),
})
export type MakerPreset = Static<typeof MakerPreset>

export const presetEndpoints = {
  'POST /make/presets': {
    summary:
      "Saves and deletes presets of the caller's for the maker. Of each name the latest change counts. Returns all, also without changes.",
    tag: 'make',
    access: 'subscriber',
    body: Type.Object({ changes: Type.Optional(Type.Array(PresetChange, { maxItems: PRESET_CHANGES_MAX })) }),
    data: Type.Array(MakerPreset, { description: 'The one that was changed last comes last.' }),
  },
} as const
