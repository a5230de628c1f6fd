import { PRESET_NAME_MAX_LENGTH } from '../../../contract/preset-rules.ts'
import { saveFile } from '../../platform/save-file.ts'
import { areSettingsEqual, builtInPresets, type Preset } from './presets.ts'
import { toPresetName, toTypedValue } from './settings-link.ts'
import type { MakerSettings } from './use-maker.ts'

/** The maximum size of a preset file that is read, in bytes. A file of 50 presets has less than 10 KB. */
const MAX_FILE_BYTES = 100_000
const FILE_KIND = 'varispeed-presets'

/** Downloads presets as a file. */
export const savePresetFile = (presets: readonly Preset[]): void => saveFile('maker presets.json', createPresetFile(presets))

export const createPresetFile = (presets: readonly Preset[]): Blob =>
  new Blob([JSON.stringify({ kind: FILE_KIND, presets }, undefined, 1)], { type: 'application/json' })

/** Reads a preset file; `undefined` if the file is not one. A preset whose name or values are not valid is left out. */
export async function readPresetFile(presetFile: Blob): Promise<Preset[] | undefined> {
  if (presetFile.size > MAX_FILE_BYTES) return undefined
  try {
    const fileContent: unknown = JSON.parse(await presetFile.text())
    if (typeof fileContent !== 'object' || fileContent === null || !('kind' in fileContent) || fileContent.kind !== FILE_KIND)
      return undefined
    const presets = 'presets' in fileContent && Array.isArray(fileContent.presets) ? fileContent.presets.map(parsePreset) : []
    const validPresets = presets.filter((preset) => preset !== undefined)
    return validPresets.length > 0 ? validPresets : undefined
  } catch {
    return undefined
  }
}

function parsePreset(jsonValue: unknown): Preset | undefined {
  if (typeof jsonValue !== 'object' || jsonValue === null || !('name' in jsonValue) || !('settings' in jsonValue)) return undefined
  const presetName = toPresetName(jsonValue.name)
  const storedSettings = jsonValue.settings
  if (presetName === undefined || typeof storedSettings !== 'object' || storedSettings === null) return undefined
  const toSetting = (settingName: keyof MakerSettings) => toTypedValue(settingName, Reflect.get(storedSettings, settingName))
  const [speed, pitch, reverbSize, reverbAmount, bassDb] = [
    toSetting('speed'),
    toSetting('pitch'),
    toSetting('reverbSize'),
    toSetting('reverbAmount'),
    toSetting('bassDb'),
  ]
  if (speed === undefined || pitch === undefined || reverbSize === undefined || reverbAmount === undefined || bassDb === undefined)
    return undefined
  return { name: presetName, settings: { speed, pitch, reverbSize, reverbAmount, bassDb } }
}

/** Returns the presets of a file that are not among `ownPresets`. A preset whose name is taken gets a number. */
export function findNewPresets(filePresets: readonly Preset[], ownPresets: readonly Preset[]): Preset[] {
  const addedPresets: Preset[] = []
  for (const { name, settings } of filePresets) {
    const knownPresets = [...builtInPresets, ...ownPresets, ...addedPresets]
    if (knownPresets.some((preset) => preset.name === name && areSettingsEqual(preset.settings, settings))) continue
    const isNameTaken = (candidate: string) => knownPresets.some((preset) => preset.name === candidate)
    let freeName = name
    for (let number = 2; isNameTaken(freeName); number++) {
      const suffix = ` (${number})`
      freeName = `${[...name].slice(0, PRESET_NAME_MAX_LENGTH - suffix.length).join('')}${suffix}`
    }
    addedPresets.push({ name: freeName, settings })
  }
  return addedPresets
}
