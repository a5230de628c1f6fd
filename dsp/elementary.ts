// Elementary functions with the same bits in every runtime. ECMAScript defines +, -, x, / and Math.sqrt to the bit, but not Math.sin, Math.cos and
// Math.pow, which differ between engines in the last bit. The results here differ from the exact values by at most 2 units in the last place.

/** Returns sin(pi x). The argument, whatever its size, is reduced to -1/4..1/4 without rounding. */
export const sinPi = (x: number): number => computeShiftedSine(x, 0)

/** Returns cos(pi x). */
export const cosPi = (x: number): number => computeShiftedSine(x, 1)

/** Returns 2^x. */
export function exp2(x: number): number {
  const exponent = Math.round(x)
  return 2 ** exponent * evaluateExpSeries((x - exponent) * Math.LN2)
}

/** Returns 10^x. */
export const exp10 = (x: number): number => exp2(x * LOG2_10)

const LOG2_10 = Math.LN10 / Math.LN2

/** Returns sin(pi (x + quarterTurns / 2)). */
function computeShiftedSine(x: number, quarterTurns: 0 | 1): number {
  const halfTurns = x - 2 * Math.round(x / 2)
  const nearestQuarter = Math.round(2 * halfTurns)
  const angleRadians = (halfTurns - nearestQuarter / 2) * Math.PI
  const quadrant = (nearestQuarter + quarterTurns) & 3
  const magnitude = (quadrant & 1) === 0 ? evaluateSinSeries(angleRadians) : evaluateCosSeries(angleRadians)
  return quadrant < 2 ? magnitude : -magnitude
}

// The Taylor series (Abramowitz and Stegun 4.2.1, 4.3.65 and 4.3.66), up to the first term that no longer changes a double in the range.

/** The coefficients of x^3, x^5 ... in the series of sin(x). */
const SIN_COEFFICIENTS = [
  -1 / 6,
  1 / 120,
  -1 / 5_040,
  1 / 362_880,
  -1 / 39_916_800,
  1 / 6_227_020_800,
  -1 / 1_307_674_368_000,
  1 / 355_687_428_096_000,
]

/** The coefficients of x^2, x^4 ... in the series of cos(x). */
const COS_COEFFICIENTS = [
  -1 / 2,
  1 / 24,
  -1 / 720,
  1 / 40_320,
  -1 / 3_628_800,
  1 / 479_001_600,
  -1 / 87_178_291_200,
  1 / 20_922_789_888_000,
]

/** Returns c0 + c1 x + c2 x^2 ... for the coefficients c0, c1, c2 ..., by Horner's rule. */
function evaluatePolynomial(polynomialCoefficients: readonly number[], x: number): number {
  let sum = 0
  for (let index = polynomialCoefficients.length - 1; index >= 0; index--) sum = (polynomialCoefficients[index] ?? 0) + x * sum
  return sum
}

/** Returns sin(x) for -pi/4 <= x <= pi/4. */
const evaluateSinSeries = (x: number): number => x + x * (x * x) * evaluatePolynomial(SIN_COEFFICIENTS, x * x)

/** Returns cos(x) for -pi/4 <= x <= pi/4. */
const evaluateCosSeries = (x: number): number => 1 + x * x * evaluatePolynomial(COS_COEFFICIENTS, x * x)

/** Returns exp(x) for -ln(2) / 2 <= x <= ln(2) / 2. */
function evaluateExpSeries(x: number): number {
  let sum = 1
  for (let n = 14; n >= 1; n--) sum = 1 + (x / n) * sum
  return sum
}
