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

function createFftTables(transformLength: number): FftTables {
  const cachedTables = tableCache.get(transformLength)
  if (cachedTables !== undefined) return cachedTables
  const tables = {
    reversed: new Uint32Array(transformLength),
    cos: new Float64Array(transformLength),
    sin: new Float64Array(transformLength),
  }
  for (let index = 1; index < transformLength; index++)
    tables.reversed[index] = ((tables.reversed[index >> 1] as number) >> 1) + (index & 1) * (transformLength >> 1)
  for (let halfSize = 1; halfSize < transformLength; halfSize *= 2)
    for (let k = 0; k < halfSize; k++) {
      tables.cos[halfSize + k] = cosPi(k / halfSize)
      tables.sin[halfSize + k] = -sinPi(k / halfSize)
    }
  tableCache.set(transformLength, tables)
  return tables
}

/**
 * Computes the discrete Fourier transform in place, in double precision: X[k] = sum over n of x[n] exp(-2 pi i k n / length). The length is a power
 * of two. Radix 2, decimation in time (Cooley and Tukey 1965; Press et al., "Numerical Recipes", section 12.2).
 */
export function fft({ re, im }: ComplexArray): void {
  const transformLength = re.length
  const tables = createFftTables(transformLength)
  for (let index = 0; index < transformLength; index++) {
    const reversedIndex = tables.reversed[index] as number
    if (index < reversedIndex) {
      swapValues(re, index, reversedIndex)
      swapValues(im, index, reversedIndex)
    }
  }
  let halfSize = 1
  for (; 2 * halfSize < transformLength; halfSize *= 4) computeTwoSteps(re, im, halfSize, tables)
  if (halfSize === transformLength) return
  for (let k = 0; k < halfSize; k++)
    butterfly(re, im, k, halfSize + k, readValueAt(tables.cos, halfSize + k), readValueAt(tables.sin, halfSize + k))
}

/**
 * Computes the steps of the half sizes `halfSize` and 2 x `halfSize` in one pass: four values at a time stay in registers, which halves the accesses
 * to the arrays.
 */
function computeTwoSteps(reValues: Float64Array, imValues: Float64Array, halfSize: number, { cos, sin }: FftTables): void {
  for (let k = 0; k < halfSize; k++) {
    const cos1 = readValueAt(cos, halfSize + k)
    const sin1 = readValueAt(sin, halfSize + k)
    const cos2 = readValueAt(cos, 2 * halfSize + k)
    const sin2 = readValueAt(sin, 2 * halfSize + k)
    const cos3 = readValueAt(cos, 3 * halfSize + k)
    const sin3 = readValueAt(sin, 3 * halfSize + k)
    for (let a = k; a < reValues.length; a += 4 * halfSize) {
      const b = a + halfSize
      const c = b + halfSize
      const d = c + halfSize
      const bRe = readValueAt(reValues, b) * cos1 - readValueAt(imValues, b) * sin1
      const bIm = readValueAt(reValues, b) * sin1 + readValueAt(imValues, b) * cos1
      const dRe = readValueAt(reValues, d) * cos1 - readValueAt(imValues, d) * sin1
      const dIm = readValueAt(reValues, d) * sin1 + readValueAt(imValues, d) * cos1
      const abSumRe = readValueAt(reValues, a) + bRe
      const abSumIm = readValueAt(imValues, a) + bIm
      const abDiffRe = readValueAt(reValues, a) - bRe
      const abDiffIm = readValueAt(imValues, a) - bIm
      const cdSumRe = readValueAt(reValues, c) + dRe
      const cdSumIm = readValueAt(imValues, c) + dIm
      const cdDiffRe = readValueAt(reValues, c) - dRe
      const cdDiffIm = readValueAt(imValues, c) - dIm
      const evenRe = cdSumRe * cos2 - cdSumIm * sin2
      const evenIm = cdSumRe * sin2 + cdSumIm * cos2
      const oddRe = cdDiffRe * cos3 - cdDiffIm * sin3
      const oddIm = cdDiffRe * sin3 + cdDiffIm * cos3
      reValues[a] = abSumRe + evenRe
      imValues[a] = abSumIm + evenIm
      reValues[b] = abDiffRe + oddRe
      imValues[b] = abDiffIm + oddIm
      reValues[c] = abSumRe - evenRe
      imValues[c] = abSumIm - evenIm
      reValues[d] = abDiffRe - oddRe
      imValues[d] = abDiffIm - oddIm
    }
  }
}

/**
 * Multiplies the value at `oddIndex` by the twiddle factor wr + i wi, then replaces the values at `evenIndex` and `oddIndex` by their sum and difference.
 */
function butterfly(
  reValues: Float64Array,
  imValues: Float64Array,
  evenIndex: number,
  oddIndex: number,
  twiddleRe: number,
  twiddleIm: number,
): void {
  const evenRe = readValueAt(reValues, evenIndex)
  const evenIm = readValueAt(imValues, evenIndex)
  const oddRe = readValueAt(reValues, oddIndex) * twiddleRe - readValueAt(imValues, oddIndex) * twiddleIm
  const oddIm = readValueAt(reValues, oddIndex) * twiddleIm + readValueAt(imValues, oddIndex) * twiddleRe
  reValues[evenIndex] = evenRe + oddRe
  imValues[evenIndex] = evenIm + oddIm
  reValues[oddIndex] = evenRe - oddRe
  imValues[oddIndex] = evenIm - oddIm
}

/** Computes the inverse DFT without the factor 1 / length, by an `fft` with real and imaginary parts swapped. */
export const inverseFft = ({ re, im }: ComplexArray): void => fft({ re: im, im: re })

function swapValues(arrayValues: Float64Array, firstIndex: number, secondIndex: number): void {
  const value = readValueAt(arrayValues, firstIndex)
  arrayValues[firstIndex] = readValueAt(arrayValues, secondIndex)
  arrayValues[secondIndex] = value
}

/** Reads an element whose index is known to be in range. */
const readValueAt = (values: Float64Array, index: number): number => values[index] as number
