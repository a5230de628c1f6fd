import { sinPi } from './elementary.ts'

/**
 * Kaiser window and Kaiser's design formulas for low-pass FIR filters.
 *
 * Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", ISCAS 1974; as given in Oppenheim and
 * Schafer, "Discrete-Time Signal Processing", section 7.5.3 (eq. 7.72 the window, 7.75 beta, 7.76 the order).
 */

/** Computes the modified Bessel function of the first kind and order zero, by its power series (Abramowitz and Stegun 9.6.12). */
export function besselI0(x: number): number {
  const quarterSquare = (x * x) / 4
  let seriesTerm = 1
  let seriesSum = 1
  for (let k = 1; seriesTerm > seriesSum * 1e-17; k++) {
    seriesTerm *= quarterSquare / (k * k)
    seriesSum += seriesTerm
  }
  return seriesSum
}

/** Returns the Kaiser window's parameter beta for a stopband attenuation above 50 dB. */
export const computeKaiserBeta = (attenuationDb: number): number => 0.1102 * (attenuationDb - 8.7)

/** Returns the FIR order (taps - 1) for a stopband attenuation and a transition band of `transitionRadians` (radians per sample). */
export const computeKaiserOrder = (attenuationDb: number, transitionRadians: number): number =>
  (attenuationDb - 8) / (2.285 * transitionRadians)

/** Inverse of `computeKaiserOrder`: returns the stopband attenuation in dB of a filter of `order`. */
export const computeKaiserAttenuationDb = (order: number, transitionRadians: number): number => 8 + 2.285 * transitionRadians * order

/** Returns the Kaiser window as a function of a position in -1..1 (0 is the centre). The window is 0 outside that range. */
export function createKaiserWindow(shapeBeta: number): (position: number) => number {
  const peakValue = besselI0(shapeBeta)
  return (windowPosition) => {
    const squaredRest = 1 - windowPosition * windowPosition
    return squaredRest < 0 ? 0 : besselI0(shapeBeta * Math.sqrt(squaredRest)) / peakValue
  }
}

/** Computes the normalised sinc: sin(pi x) / (pi x), and 1 at 0. */
export const sinc = (x: number): number => (x === 0 ? 1 : sinPi(x) / (Math.PI * x))
