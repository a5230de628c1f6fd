/** The largest level that dither of one step does not push to the last 16-bit value, where a sample counts as clipped. */
export const CEILING = (32_767 - 1.5) / 32_768

/** The gain that keeps `peak` (full scale 1) under the ceiling; 1 where it is there already. */
export const gainFor = (peak: number): number => (peak > CEILING ? CEILING / peak : 1)

/** A gain in dB; 0 dB for 1. */
export const gainDb = (gain: number): number => 20 * Math.log10(gain)
