import type { RenderSettings } from '../../dsp/render-plan.ts'
import { MAX_REVERB_SECONDS, MIN_REVERB_SECONDS } from '../../dsp/reverb.ts'
import type { MakerSettings } from './engine.ts'

const RANGES: { readonly [Name in keyof MakerSettings]: readonly [least: number, most: number] } = {
  speed: [0.1, 2],
  pitch: [-12, 12],
  reverbSize: [0, 100],
  reverbAmount: [0, 100],
  bassDb: [-12, 12],
}

/** `settings` with `changes`, each brought into its range; what is no number is left out. */
export function withChanges(settings: MakerSettings, changes: Partial<MakerSettings>): MakerSettings {
  const names = Object.keys(RANGES) as (keyof MakerSettings)[]
  const inRange = names.flatMap((name) => {
    const value = changes[name]
    const [least, most] = RANGES[name]
    return value === undefined || Number.isNaN(value) ? [] : [[name, Math.min(most, Math.max(least, value))]]
  })
  return { ...settings, ...Object.fromEntries(inRange) }
}

/** Source frames for a frame of the output. */
export const rateOf = ({ speed, pitch }: Pick<MakerSettings, 'speed' | 'pitch'>): number => speed * 2 ** (pitch / 12)

/** From 0 % to 100 %: MIN_REVERB_SECONDS to MAX_REVERB_SECONDS, evenly. */
export const reverbSeconds = (reverbSize: number): number =>
  MIN_REVERB_SECONDS + (reverbSize / 100) * (MAX_REVERB_SECONDS - MIN_REVERB_SECONDS)

/** Settings for `outputRate` Hz from a sound at `sampleRate`: where these differ, speed and sampling rate are converted in one step. */
export function renderSettings(settings: MakerSettings, sampleRate: number, outputRate = sampleRate): RenderSettings {
  const { bassDb, reverbAmount, reverbSize } = settings
  return {
    sampleRate: outputRate,
    rate: rateOf(settings) * (sampleRate / outputRate),
    bassDb,
    ...(reverbAmount > 0 && { reverb: { seconds: reverbSeconds(reverbSize), amount: reverbAmount / 100 } }),
  }
}
