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
  for (let k = 0; k < halfSize; k++)
    butterfly(re, im, k, halfSize + k, valueAt(tables.cos, halfSize + k), valueAt(tables.sin, halfSize + k))
}

/**
 * Computes the steps of the half sizes `halfSize` and 2 x `halfSize` in one pass: four values at a time stay in registers, which halves the accesses
 * to the arrays.
 */
function computeTwoSteps(re: Float64Array, im: Float64Array, halfSize: number, { cos, sin }: FftTables): void {
  for (let k = 0; k < halfSize; k++) {
    const cos1 = valueAt(cos, halfSize + k)
    const sin1 = valueAt(sin, halfSize + k)
    const cos2 = valueAt(cos, 2 * halfSize + k)
    const sin2 = valueAt(sin, 2 * halfSize + k)
    const cos3 = valueAt(cos, 3 * halfSize + k)
    const sin3 = valueAt(sin, 3 * halfSize + k)
    for (let a = k; a < re.length; a += 4 * halfSize) {
      const b = a + halfSize
      const c = b + halfSize
      const d = c + halfSize
      const bRe = valueAt(re, b) * cos1 - valueAt(im, b) * sin1
      const bIm = valueAt(re, b) * sin1 + valueAt(im, b) * cos1
      const dRe = valueAt(re, d) * cos1 - valueAt(im, d) * sin1
      const dIm = valueAt(re, d) * sin1 + valueAt(im, d) * cos1
      const abSumRe = valueAt(re, a) + bRe
      const abSumIm = valueAt(im, a) + bIm
      const abDiffRe = valueAt(re, a) - bRe
      const abDiffIm = valueAt(im, a) - bIm
      const cdSumRe = valueAt(re, c) + dRe
      const cdSumIm = valueAt(im, c) + dIm
      const cdDiffRe = valueAt(re, c) - dRe
      const cdDiffIm = valueAt(im, c) - dIm
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
 * Multiplies the value at `oddIndex` by the twiddle factor wr + i wi, then replaces the values at `evenIndex` and `oddIndex` by their sum and difference.
 */
function butterfly(re: Float64Array, im: Float64Array, evenIndex: number, oddIndex: number, wr: number, wi: number): void {
  const evenRe = valueAt(re, evenIndex)
  const evenIm = valueAt(im, evenIndex)
  const oddRe = valueAt(re, oddIndex) * wr - valueAt(im, oddIndex) * wi
  const oddIm = valueAt(re, oddIndex) * wi + valueAt(im, oddIndex) * wr
  re[evenIndex] = evenRe + oddRe
  im[evenIndex] = evenIm + oddIm
  re[oddIndex] = evenRe - oddRe
  im[oddIndex] = evenIm - oddIm
}

/** Computes the inverse DFT without the factor 1 / length, by an `fft` with real and imaginary parts swapped. */
export const inverseFft = ({ re, im }: ComplexArray): void => fft({ re: im, im: re })

function swap(values: Float64Array, firstIndex: number, secondIndex: number): void {
  const value = valueAt(values, firstIndex)
  values[firstIndex] = valueAt(values, secondIndex)
  values[secondIndex] = value
}

/** Reads an element whose index is known to be in range. */
const valueAt = (values: Float64Array, index: number): number => values[index] as number
