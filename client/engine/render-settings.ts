import { exp2 } from '../../dsp/elementary.ts'
import type { RenderSettings } from '../../dsp/render-plan.ts'
import { MAX_REVERB_SECONDS, MIN_REVERB_SECONDS } from '../../dsp/reverb.ts'
import type { MakerSettings } from './engine.ts'

export const DEFAULT_SETTINGS: MakerSettings = { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

const SETTING_RANGES: { readonly [Name in keyof MakerSettings]: readonly [least: number, most: number] } = {
  speed: [0.1, 2],
  pitch: [-12, 12],
  reverbSize: [0, 100],
  reverbAmount: [0, 100],
  bassDb: [-12, 12],
}

/** Returns `settings` with `settingChanges`. Each setting is limited to its range; a change to NaN is ignored. */
export function clampSettings(settings: MakerSettings, settingChanges: Partial<MakerSettings>): MakerSettings {
  const settingNames = Object.keys(SETTING_RANGES) as (keyof MakerSettings)[]
  const settingsInRange = settingNames.flatMap((settingName) => {
    const value = settingChanges[settingName]
    const [minValue, maxValue] = SETTING_RANGES[settingName]
    return value === undefined || Number.isNaN(value) ? [] : [[settingName, Math.min(maxValue, Math.max(minValue, value))]]
  })
  return { ...settings, ...Object.fromEntries(settingsInRange) }
}

/** The `amount` of the reverb at 100 %: -4.4 dB. */
const MAX_REVERB_AMOUNT = 0.6

/** Returns the number of source frames for each frame of the output. */
export const toPlaybackRate = ({ speed, pitch }: Pick<MakerSettings, 'speed' | 'pitch'>): number => speed * exp2(pitch / 12)

/** Maps the range 0 to 100 % linearly to the range MIN_REVERB_SECONDS to MAX_REVERB_SECONDS. */
const computeReverbSeconds = (reverbSize: number): number =>
  MIN_REVERB_SECONDS + (reverbSize / 100) * (MAX_REVERB_SECONDS - MIN_REVERB_SECONDS)

/** Returns render settings for an output at `outputRate`. Speed and sampling rate are converted in one step. */
export function toRenderSettings(settings: MakerSettings, sampleRate: number, outputRate = sampleRate): RenderSettings {
  const { bassDb, reverbAmount, reverbSize } = settings
  return {
    sampleRate: outputRate,
    rate: toPlaybackRate(settings) * (sampleRate / outputRate),
    bassDb,
    ...(reverbAmount > 0 && { reverb: { seconds: computeReverbSeconds(reverbSize), amount: (MAX_REVERB_AMOUNT * reverbAmount) / 100 } }),
  }
}
