/** The most presets that a person can save. */
export const PRESETS_MAX = 50
/** The longest name of a preset, in characters. */
export const PRESET_NAME_MAX_LENGTH = 40
/** The most changes in one call of `/make/presets`. */
export const PRESET_CHANGES_MAX = 100
