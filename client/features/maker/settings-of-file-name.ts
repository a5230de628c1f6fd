import { toTypedValue } from './settings-link.ts'
import type { MakerSettings } from './use-maker.ts'

const NUMBER_PATTERN = '[-+]?[0-9]{1,4}(?:[.][0-9]{1,3})?'
/** The settings at the end of the name of an exported file, as `createExportFileName` writes them. */
const SETTINGS_PATTERN = new RegExp(
  `[(]speed (${NUMBER_PATTERN}), pitch (${NUMBER_PATTERN})(?:, reverb (${NUMBER_PATTERN}) size (${NUMBER_PATTERN}))?(?:, bass (${NUMBER_PATTERN}))?(?:, [^(),]{1,20}){0,2}[)][.][a-z0-9]{2,4}$`,
)

/** Reads the settings in the name of an exported file; `undefined` if the name has none. */
export function readSettingsFromFileName(fileName: string): Partial<MakerSettings> | undefined {
  const [, speedText, pitchText, reverbAmount = '0', reverbSize, bassDb = '0'] = SETTINGS_PATTERN.exec(fileName.slice(-120)) ?? []
  if (speedText === undefined || pitchText === undefined) return undefined
  const texts = { speed: speedText, pitch: pitchText, reverbAmount, bassDb, ...(reverbSize !== undefined && { reverbSize }) }
  const entries = (Object.keys(texts) as (keyof typeof texts)[]).map((name) => [name, toTypedValue(name, Number(texts[name]))])
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

/** Returns the speed and the pitch of an exported file; `undefined` if they cannot be set. */
export function fitSpeedAndPitch({ speed: recordedSpeed, pitch: recordedPitch }: { speed?: number; pitch?: number }) {
  const [speed, pitch] = [toTypedValue('speed', recordedSpeed), toTypedValue('pitch', recordedPitch)]
  return speed === undefined || pitch === undefined ? undefined : { speed, pitch }
}
