import { cosPi, sinPi } from './elementary.ts'

/** Complex numbers in split format: real and imaginary parts in two arrays of the same length. */
export interface ComplexArray {
  readonly re: Float64Array
  readonly im: Float64Array
}

export const createComplexArray = (length: number): ComplexArray => ({ re: new Float64Array(length), im: new Float64Array(length) })

interface FftTables {
  /** The index of each value in bit-reversed order. */
  readonly reversed: Uint32Array
  /**
   * The twiddle factors cos(pi k / h) and -sin(pi k / h) for all half butterfly sizes h and 0 <= k < h. Those of the size h start at index
   * h.
   */
  readonly cos: Float64Array
  readonly sin: Float64Array
}

const tableCache = new Map<number, FftTables>()

function fftTables(length: number): FftTables {
  const cachedTables = tableCache.get(length)
  if (cachedTables !== undefined) return cachedTables
  const tables = { reversed: new Uint32Array(length), cos: new Float64Array(length), sin: new Float64Array(length) }
  for (let index = 1; index < length; index++)
    tables.reversed[index] = ((tables.reversed[index >> 1] as number) >> 1) + (index & 1) * (length >> 1)
  for (let halfSize = 1; halfSize < length; halfSize *= 2)
    for (let k = 0; k < halfSize; k++) {
      tables.cos[halfSize + k] = cosPi(k / halfSize)
      tables.sin[halfSize + k] = -sinPi(k / halfSize)
    }
  tableCache.set(length, tables)
  return tables
}

/**
 * Computes the discrete Fourier transform in place, in double precision: X[k] = sum over n of x[n] exp(-2 pi i k n / length). The length is a power
 * of two. Radix 2, decimation in time (Cooley and Tukey 1965; Press et al., "Numerical Recipes", section 12.2).
 */
export function fft({ re, im }: ComplexArray): void {
  const length = re.length
  const tables = fftTables(length)
  for (let index = 0; index < length; index++) {
    const reversedIndex = tables.reversed[index] as number
    if (index < reversedIndex) {
      swap(re, index, reversedIndex)
      swap(im, index, reversedIndex)
    }
  }
  let halfSize = 1
  for (; 2 * halfSize < length; halfSize *= 4) computeTwoSteps(re, im, halfSize, tables)
  if (halfSize === length) return
  for (let k = 0; k < halfSize; k++) butterfly(re, im, k, halfSize + k, at(tables.cos, halfSize + k), at(tables.sin, halfSize + k))
}

/**
 * Computes the steps of the half sizes `halfSize` and 2 x `halfSize` in one pass: four values at a time stay in registers, which halves the accesses
 * to the arrays.
 */
function computeTwoSteps(re: Float64Array, im: Float64Array, halfSize: number, { cos, sin }: FftTables): void {
  for (let k = 0; k < halfSize; k++) {
    const cos1 = at(cos, halfSize + k)
    const sin1 = at(sin, halfSize + k)
    const cos2 = at(cos, 2 * halfSize + k)
    const sin2 = at(sin, 2 * halfSize + k)
    const cos3 = at(cos, 3 * halfSize + k)
    const sin3 = at(sin, 3 * halfSize + k)
    for (let a = k; a < re.length; a += 4 * halfSize) {
      const b = a + halfSize
      const c = b + halfSize
      const d = c + halfSize
      const bRe = at(re, b) * cos1 - at(im, b) * sin1
      const bIm = at(re, b) * sin1 + at(im, b) * cos1
      const dRe = at(re, d) * cos1 - at(im, d) * sin1
      const dIm = at(re, d) * sin1 + at(im, d) * cos1
      const abSumRe = at(re, a) + bRe
      const abSumIm = at(im, a) + bIm
      const abDiffRe = at(re, a) - bRe
      const abDiffIm = at(im, a) - bIm
      const cdSumRe = at(re, c) + dRe
      const cdSumIm = at(im, c) + dIm
      const cdDiffRe = at(re, c) - dRe
      const cdDiffIm = at(im, c) - dIm
      const evenRe = cdSumRe * cos2 - cdSumIm * sin2
      const evenIm = cdSumRe * sin2 + cdSumIm * cos2
      const oddRe = cdDiffRe * cos3 - cdDiffIm * sin3
      const oddIm = cdDiffRe * sin3 + cdDiffIm * cos3
      re[a] = abSumRe + evenRe
      im[a] = abSumIm + evenIm
      re[b] = abDiffRe + oddRe
      im[b] = abDiffIm + oddIm
      re[c] = abSumRe - evenRe
      im[c] = abSumIm - evenIm
      re[d] = abDiffRe - oddRe
      im[d] = abDiffIm - oddIm
    }
  }
}

/**
 * Multiplies the value at `odd` by the twiddle factor wr + i wi, then replaces the values at `even` and `odd` by their sum and difference.
 */
function butterfly(re: Float64Array, im: Float64Array, even: number, odd: number, wr: number, wi: number): void {
  const evenRe = at(re, even)
  const evenIm = at(im, even)
  const oddRe = at(re, odd) * wr - at(im, odd) * wi
  const oddIm = at(re, odd) * wi + at(im, odd) * wr
  re[even] = evenRe + oddRe
  im[even] = evenIm + oddIm
  re[odd] = evenRe - oddRe
  im[odd] = evenIm - oddIm
}

/** Computes the inverse DFT without the factor 1 / length, by an `fft` with real and imaginary parts swapped. */
export const inverseFft = ({ re, im }: ComplexArray): void => fft({ re: im, im: re })

function swap(values: Float64Array, first: number, second: number): void {
  const value = at(values, first)
  values[first] = at(values, second)
  values[second] = value
}

/** Reads an element whose index is known to be in range. */
const at = (values: Float64Array, index: number): number => values[index] as number
