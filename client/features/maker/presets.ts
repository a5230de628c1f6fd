import { type MakerSettings, SLOWED_EFFECTS } from '../../engine/engine.ts'

/** Named settings, built in or saved by the person. */
export interface Preset {
  readonly name: string
  readonly settings: MakerSettings
}

const plainSettings: MakerSettings = { speed: 1, pitch: 0, reverbSize: 0, reverbAmount: 0, bassDb: 0 }

/** The preset that leaves the song unchanged. */
export const originalPreset: Preset = { name: 'Original', settings: plainSettings }

/** Built-in presets. Nightcore is 20 to 35 percent faster than the original. */
export const builtInPresets: readonly Preset[] = [
  { name: 'Nightcore', settings: { ...plainSettings, speed: 1.25 } },
  { name: 'Slowed', settings: { ...plainSettings, speed: 0.85 } },
  { name: 'Slowed + Reverb', settings: { ...plainSettings, speed: 0.8, ...SLOWED_EFFECTS } },
]

/** Returns the name of the preset with these settings, built in or one of `ownPresets`; `undefined` if there is none. */
export const findPresetName = (settings: MakerSettings, ownPresets: readonly Preset[]): string | undefined =>
  [...builtInPresets, ...ownPresets, originalPreset].find((preset) => areSettingsEqual(preset.settings, settings))?.name

export const areSettingsEqual = (firstSettings: MakerSettings, secondSettings: MakerSettings): boolean =>
  firstSettings.speed === secondSettings.speed &&
  firstSettings.pitch === secondSettings.pitch &&
  firstSettings.bassDb === secondSettings.bassDb &&
  firstSettings.reverbAmount === secondSettings.reverbAmount &&
  // The reverb size is not compared while the reverb is off, because it has no effect then.
  (firstSettings.reverbAmount === 0 || firstSettings.reverbSize === secondSettings.reverbSize)
