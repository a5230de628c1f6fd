import { cosPi, exp10, sinPi } from './elementary.ts'

/**
 * A second-order IIR filter, y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2], computed in the transposed direct form II:
 * y = b0 x + s1, s1 = b1 x - a1 y + s2, s2 = b2 x - a2 y (Oppenheim and Schafer, section 6.4).
 */
export interface Biquad {
  readonly b0: number
  readonly b1: number
  readonly b2: number
  readonly a1: number
  readonly a2: number
}

// The formulas are from R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients" (www.w3.org/TR/audio-eq-cookbook), with
// the angle w in half turns.

/** Returns a low shelf: gain of `gainDb` below `frequencyHz`, with a shelf slope of 1, the steepest without overshoot. */
export function designLowShelf(frequencyHz: number, gainDb: number, sampleRate: number): Biquad {
  const amplitudeRoot = exp10(gainDb / 40)
  const halfTurnsPerSample = (2 * frequencyHz) / sampleRate
  const cosine = cosPi(halfTurnsPerSample)
  // The product of 2 sqrt(a) and alpha, an intermediate variable of the Audio EQ Cookbook, for a shelf slope of 1.
  const scaledAlpha = 2 * Math.sqrt(amplitudeRoot) * sinPi(halfTurnsPerSample) * Math.SQRT1_2
  const a0 = amplitudeRoot + 1 + (amplitudeRoot - 1) * cosine + scaledAlpha
  return {
    b0: (amplitudeRoot * (amplitudeRoot + 1 - (amplitudeRoot - 1) * cosine + scaledAlpha)) / a0,
    b1: (2 * amplitudeRoot * (amplitudeRoot - 1 - (amplitudeRoot + 1) * cosine)) / a0,
    b2: (amplitudeRoot * (amplitudeRoot + 1 - (amplitudeRoot - 1) * cosine - scaledAlpha)) / a0,
    a1: (-2 * (amplitudeRoot - 1 + (amplitudeRoot + 1) * cosine)) / a0,
    a2: (amplitudeRoot + 1 + (amplitudeRoot - 1) * cosine - scaledAlpha) / a0,
  }
}

/** Returns a Butterworth high-pass filter (Q = 1 / sqrt(2)) with its -3 dB cutoff at `frequencyHz`. */
export function designHighPass(frequencyHz: number, sampleRate: number): Biquad {
  const halfTurnsPerSample = (2 * frequencyHz) / sampleRate
  const cosine = cosPi(halfTurnsPerSample)
  const alpha = sinPi(halfTurnsPerSample) * Math.SQRT1_2
  const a0 = 1 + alpha
  return { b0: (1 + cosine) / 2 / a0, b1: -(1 + cosine) / a0, b2: (1 + cosine) / 2 / a0, a1: (-2 * cosine) / a0, a2: (1 - alpha) / a0 }
}
