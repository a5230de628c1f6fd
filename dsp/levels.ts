/**
 * The highest peak level that, after TPDF dither of ±1 LSB and rounding, stays below the largest 16-bit value, because that value counts as
 * clipped.
 */
export const PEAK_CEILING = (32_767 - 1.5) / 32_768

/** Returns the gain that lowers `peak` (full scale 1) to `PEAK_CEILING`; 1 if the peak is not above it. */
export const gainForPeak = (peak: number): number => (peak > PEAK_CEILING ? PEAK_CEILING / peak : 1)

export const gainDb = (gain: number): number => 20 * Math.log10(gain)
