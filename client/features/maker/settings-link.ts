import { PRESET_NAME_MAX_LENGTH } from '../../../contract/preset-rules.ts'
import { PITCH_DECIMALS, PITCH_RANGE, roundToDecimals, SPEED_DECIMALS, SPEED_RANGE } from './setting-values.ts'
import type { MakerSettings } from './use-maker.ts'

/** The maximum length of a fragment that is read. Links of the maker are shorter. */
const MAX_FRAGMENT_LENGTH = 1000

const percentSetting = { range: { min: 0, max: 100 }, decimals: 0 }
/** The name of each setting's parameter in a link, and the range of the values that can be typed. */
const linkParameters: {
  readonly [Name in keyof MakerSettings]: { parameterKey: string; range: { min: number; max: number }; decimals: number }
} = {
  speed: { parameterKey: 'speed', range: SPEED_RANGE, decimals: SPEED_DECIMALS },
  pitch: { parameterKey: 'pitch', range: PITCH_RANGE, decimals: PITCH_DECIMALS },
  reverbSize: { parameterKey: 'size', ...percentSetting },
  reverbAmount: { parameterKey: 'reverb', ...percentSetting },
  bassDb: { parameterKey: 'bass', range: { min: -12, max: 12 }, decimals: 0 },
}
const settingNames = Object.keys(linkParameters) as (keyof MakerSettings)[]

export interface LinkedSettings {
  readonly settings: Partial<MakerSettings>
  /** The name of the preset, if the settings are those of one. */
  readonly presetName: string | undefined
}

/** Returns the fragment of a link to settings, such as `#speed=0.8&pitch=0&size=50&reverb=35&bass=3&preset=Late+night`. */
export function createSettingsFragment(settings: MakerSettings, presetName: string | undefined): string {
  const params = new URLSearchParams(settingNames.map((name) => [linkParameters[name].parameterKey, String(settings[name])]))
  if (presetName !== undefined) params.set('preset', presetName)
  return `#${params}`
}

/**
 * Reads the settings in the fragment of an address. Values are rounded and limited like typed values.
 * @returns 'none' if the fragment has no settings, and 'invalid' if a value is not a number
 */
export function parseSettingsFragment(urlFragment: string): LinkedSettings | 'none' | 'invalid' {
  const params = new URLSearchParams(urlFragment.slice(1))
  const namesInLink = settingNames.filter((name) => params.has(linkParameters[name].parameterKey))
  if (namesInLink.length === 0) return 'none'
  if (urlFragment.length > MAX_FRAGMENT_LENGTH) return 'invalid'
  const entries = namesInLink.map((name) => [name, parseSetting(name, params.get(linkParameters[name].parameterKey) ?? '')] as const)
  if (entries.some(([, value]) => value === undefined)) return 'invalid'
  return { settings: Object.fromEntries(entries), presetName: toPresetName(params.get('preset')) }
}

function parseSetting(name: keyof MakerSettings, text: string): number | undefined {
  return /^[-+]?\d{1,9}(\.\d{0,20})?$/.test(text) ? toTypedValue(name, Number(text)) : undefined
}

/** Rounds and limits a value as if it were typed; `undefined` if it cannot be typed. */
export function toTypedValue(settingName: keyof MakerSettings, linkValue: unknown): number | undefined {
  if (typeof linkValue !== 'number' || !Number.isFinite(linkValue) || (settingName === 'speed' && linkValue <= 0)) return undefined
  const { range, decimals } = linkParameters[settingName]
  // Adding 0 turns -0 into 0.
  return roundToDecimals(linkValue, decimals, range) + 0
}

/**
 * Returns a preset name in the form in which it can be saved: on one line, without invisible characters; `undefined` if nothing is left.
 */
export function toPresetName(linkValue: unknown): string | undefined {
  if (typeof linkValue !== 'string') return undefined
  const presetName = [
    ...linkValue
      .slice(0, 1000)
      .replace(/[\p{Cc}\p{Cs}\p{Z}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
      .trim(),
  ]
    .slice(0, PRESET_NAME_MAX_LENGTH)
    .join('')
    .trim()
  return presetName === '' ? undefined : presetName
}
