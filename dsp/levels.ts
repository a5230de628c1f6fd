/**
 * The highest peak level that, after TPDF dither of ±1 LSB and rounding, stays below the largest 16-bit value, because that value counts as
 * clipped.
 */
export const PEAK_CEILING = (32_767 - 1.5) / 32_768

/** Returns the gain that lowers `peak` (full scale 1) to `PEAK_CEILING`; 1 if the peak is not above it. */
export const computeGainForPeak = (peak: number): number => (peak > PEAK_CEILING ? PEAK_CEILING / peak : 1)

export const toDecibels = (gain: number): number => 20 * Math.log10(gain)

/**
 * The largest sample that is accepted, relative to full scale: +60 dB. Larger samples are the result of damage, and would make all other
 * samples inaudible.
 */
const MAX_SAMPLE_AMPLITUDE = 1000

/**
 * Replaces invalid samples by silence, in place: excessive samples, infinities and NaN. A single infinity or NaN would make all later
 * output of a filter invalid.
 */
export function silenceInvalidSamples(samples: Float32Array): void {
  for (let index = 0; index < samples.length; index++) if (!(Math.abs(samples[index] ?? 0) <= MAX_SAMPLE_AMPLITUDE)) samples[index] = 0
}
