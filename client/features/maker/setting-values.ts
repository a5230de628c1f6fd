/** The range and the step of the maker's speed slider. */
export const SPEED_RANGE = { min: 0.1, max: 2, step: 0.05 } as const
export const PITCH_RANGE = { min: -12, max: 12, step: 1 } as const
/** The number of decimals of typed values. The pitch is typed in semitones, so its two decimals are cents. */
export const SPEED_DECIMALS = 3
export const PITCH_DECIMALS = 2
export const BPM_DECIMALS = 2

interface SettingRange {
  readonly min: number
  readonly max: number
}

/** Rounds a value to a step of the slider, within its range, and to two decimals, so that it equals the slider's own value. */
export const roundToStep = (value: number, { step, ...range }: SettingRange & { readonly step: number }): number =>
  roundToDecimals(Math.round(value / step) * step, 2, range)

/** Rounds a value to a number of decimals, within a range. */
export const roundToDecimals = (value: number, decimals: number, { min, max }: SettingRange): number =>
  Math.min(max, Math.max(min, Number(value.toFixed(decimals))))

/** Formats a value with at least `minDecimals` decimals, and with as many as it has up to `maxDecimals`. */
export const formatDecimals = (settingValue: number, minDecimals: number, maxDecimals: number): string =>
  Number(settingValue.toFixed(minDecimals)) === Number(settingValue.toFixed(maxDecimals))
    ? settingValue.toFixed(minDecimals)
    : String(Number(settingValue.toFixed(maxDecimals)))
