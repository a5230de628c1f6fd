/**
 * Kaiser's window and his design formulas for low-pass filters.
 *
 * Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", ISCAS 1974; as given in Oppenheim and
 * Schafer, "Discrete-Time Signal Processing", section 7.5.3 (eq. 7.72 the window, 7.75 beta, 7.76 the order).
 */

/** The modified Bessel function of the first kind and order zero, by its power series (Abramowitz and Stegun 9.6.12). */
export function besselI0(x: number): number {
  const quarterSquare = (x * x) / 4
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= quarterSquare / (k * k)
    sum += term
  }
  return sum
}

/** The window's shape for a stop band `attenuationDb` (above 50) below the pass band. */
export const kaiserBeta = (attenuationDb: number): number => 0.1102 * (attenuationDb - 8.7)

/** The order (taps less one) that gives `attenuationDb` with a transition band of `transitionRadians` per sample. */
export const kaiserOrder = (attenuationDb: number, transitionRadians: number): number => (attenuationDb - 8) / (2.285 * transitionRadians)

/** What `kaiserOrder` answers, the other way round: the attenuation in dB that `order` gives. */
export const kaiserAttenuationDb = (order: number, transitionRadians: number): number => 8 + 2.285 * transitionRadians * order

/** The window as a function of a position in -1..1, where 0 is its middle; 0 outside. */
export function kaiserWindow(beta: number): (position: number) => number {
  const peak = besselI0(beta)
  return (position) => {
    const inside = 1 - position * position
    return inside < 0 ? 0 : besselI0(beta * Math.sqrt(inside)) / peak
  }
}

/** sin(pi x) / (pi x), and 1 at 0. */
export const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
