// Elementary functions with the same bits in every runtime. ECMAScript defines +, -, x, / and Math.sqrt to the bit, but not Math.sin, Math.cos and
// Math.pow, which differ between engines in the last bit. The results here differ from the exact values by at most 2 units in the last place.

/** Returns sin(pi x). The argument, whatever its size, is reduced to -1/4..1/4 without rounding. */
export const sinPi = (x: number): number => sineFrom(x, 0)

/** Returns cos(pi x). */
export const cosPi = (x: number): number => sineFrom(x, 1)

/** Returns 2^x. */
export function exp2(x: number): number {
  const exponent = Math.round(x)
  return 2 ** exponent * expSeries((x - exponent) * Math.LN2)
}

/** Returns 10^x. */
export const exp10 = (x: number): number => exp2(x * LOG2_10)

const LOG2_10 = Math.LN10 / Math.LN2

/** Returns sin(pi (x + quarters / 2)). */
function sineFrom(x: number, quarters: 0 | 1): number {
  const position = x - 2 * Math.round(x / 2)
  const nearestQuarter = Math.round(2 * position)
  const angle = (position - nearestQuarter / 2) * Math.PI
  const quadrant = (nearestQuarter + quarters) & 3
  const magnitude = (quadrant & 1) === 0 ? sinSeries(angle) : cosSeries(angle)
  return quadrant < 2 ? magnitude : -magnitude
}

// The Taylor series (Abramowitz and Stegun 4.2.1, 4.3.65 and 4.3.66), up to the first term that no longer changes a double in the range.

/** Returns sin(x) for -pi/4 <= x <= pi/4. */
function sinSeries(x: number): number {
  const s = x * x
  return (
    x +
    x *
      s *
      (SIN_COEFFICIENT_3 +
        s *
          (SIN_COEFFICIENT_5 +
            s *
              (SIN_COEFFICIENT_7 +
                s *
                  (SIN_COEFFICIENT_9 +
                    s * (SIN_COEFFICIENT_11 + s * (SIN_COEFFICIENT_13 + s * (SIN_COEFFICIENT_15 + s * SIN_COEFFICIENT_17)))))))
  )
}

const SIN_COEFFICIENT_3 = -1 / 6
const SIN_COEFFICIENT_5 = 1 / 120
const SIN_COEFFICIENT_7 = -1 / 5_040
const SIN_COEFFICIENT_9 = 1 / 362_880
const SIN_COEFFICIENT_11 = -1 / 39_916_800
const SIN_COEFFICIENT_13 = 1 / 6_227_020_800
const SIN_COEFFICIENT_15 = -1 / 1_307_674_368_000
const SIN_COEFFICIENT_17 = 1 / 355_687_428_096_000

/** Returns cos(x) for -pi/4 <= x <= pi/4. */
function cosSeries(x: number): number {
  const s = x * x
  return (
    1 +
    s *
      (COS_COEFFICIENT_2 +
        s *
          (COS_COEFFICIENT_4 +
            s *
              (COS_COEFFICIENT_6 +
                s *
                  (COS_COEFFICIENT_8 +
                    s * (COS_COEFFICIENT_10 + s * (COS_COEFFICIENT_12 + s * (COS_COEFFICIENT_14 + s * COS_COEFFICIENT_16)))))))
  )
}

const COS_COEFFICIENT_2 = -1 / 2
const COS_COEFFICIENT_4 = 1 / 24
const COS_COEFFICIENT_6 = -1 / 720
const COS_COEFFICIENT_8 = 1 / 40_320
const COS_COEFFICIENT_10 = -1 / 3_628_800
const COS_COEFFICIENT_12 = 1 / 479_001_600
const COS_COEFFICIENT_14 = -1 / 87_178_291_200
const COS_COEFFICIENT_16 = 1 / 20_922_789_888_000

/** Returns exp(x) for -ln(2) / 2 <= x <= ln(2) / 2. */
function expSeries(x: number): number {
  let sum = 1
  for (let n = 14; n >= 1; n--) sum = 1 + (x / n) * sum
  return sum
}
