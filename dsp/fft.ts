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
  const fftTables = {
    reversed: new Uint32Array(transformLength),
    cos: new Float64Array(transformLength),
    sin: new Float64Array(transformLength),
  }
  for (let index = 1; index < transformLength; index++)
    fftTables.reversed[index] = ((fftTables.reversed[index >> 1] as number) >> 1) + (index & 1) * (transformLength >> 1)
  for (let halfSize = 1; halfSize < transformLength; halfSize *= 2)
    for (let k = 0; k < halfSize; k++) {
      fftTables.cos[halfSize + k] = cosPi(k / halfSize)
      fftTables.sin[halfSize + k] = -sinPi(k / halfSize)
    }
  tableCache.set(transformLength, fftTables)
  return fftTables
}

/**
 * Computes the discrete Fourier transform in place, in double precision: X[k] = sum over n of x[n] exp(-2 pi i k n / length). The length is a power
 * of two. Radix 2, decimation in time (Cooley and Tukey 1965; Press et al., "Numerical Recipes", section 12.2).
 */
export function fft({ re, im }: ComplexArray): void {
  const transformLength = re.length
  const fftTables = createFftTables(transformLength)
  for (let index = 0; index < transformLength; index++) {
    const reversedIndex = fftTables.reversed[index] as number
    if (index < reversedIndex) {
      swapValues(re, index, reversedIndex)
      swapValues(im, index, reversedIndex)
    }
  }
  let halfSize = 1
  for (; 2 * halfSize < transformLength; halfSize *= 4) computeTwoSteps(re, im, halfSize, fftTables)
  if (halfSize === transformLength) return
  for (let k = 0; k < halfSize; k++)
    butterfly(re, im, k, halfSize + k, readValueAt(fftTables.cos, halfSize + k), readValueAt(fftTables.sin, halfSize + k))
}

/**
 * Computes the steps of the half sizes `halfSize` and 2 x `halfSize` in one pass: four values at a time stay in registers, which halves the accesses
 * to the arrays.
 */
function computeTwoSteps(reValues: Float64Array, imValues: Float64Array, halfSize: number, { cos, sin }: FftTables): void {
  for (let butterflyIndex = 0; butterflyIndex < halfSize; butterflyIndex++) {
    const cos1 = readValueAt(cos, halfSize + butterflyIndex)
    const sin1 = readValueAt(sin, halfSize + butterflyIndex)
    const cos2 = readValueAt(cos, 2 * halfSize + butterflyIndex)
    const sin2 = readValueAt(sin, 2 * halfSize + butterflyIndex)
    const cos3 = readValueAt(cos, 3 * halfSize + butterflyIndex)
    const sin3 = readValueAt(sin, 3 * halfSize + butterflyIndex)
    for (let aIndex = butterflyIndex; aIndex < reValues.length; aIndex += 4 * halfSize) {
      const bIndex = aIndex + halfSize
      const cIndex = bIndex + halfSize
      const dIndex = cIndex + halfSize
      const bRe = readValueAt(reValues, bIndex) * cos1 - readValueAt(imValues, bIndex) * sin1
      const bIm = readValueAt(reValues, bIndex) * sin1 + readValueAt(imValues, bIndex) * cos1
      const dRe = readValueAt(reValues, dIndex) * cos1 - readValueAt(imValues, dIndex) * sin1
      const dIm = readValueAt(reValues, dIndex) * sin1 + readValueAt(imValues, dIndex) * cos1
      const abSumRe = readValueAt(reValues, aIndex) + bRe
      const abSumIm = readValueAt(imValues, aIndex) + bIm
      const abDiffRe = readValueAt(reValues, aIndex) - bRe
      const abDiffIm = readValueAt(imValues, aIndex) - bIm
      const cdSumRe = readValueAt(reValues, cIndex) + dRe
      const cdSumIm = readValueAt(imValues, cIndex) + dIm
      const cdDiffRe = readValueAt(reValues, cIndex) - dRe
      const cdDiffIm = readValueAt(imValues, cIndex) - dIm
      const evenRe = cdSumRe * cos2 - cdSumIm * sin2
      const evenIm = cdSumRe * sin2 + cdSumIm * cos2
      const oddRe = cdDiffRe * cos3 - cdDiffIm * sin3
      const oddIm = cdDiffRe * sin3 + cdDiffIm * cos3
      reValues[aIndex] = abSumRe + evenRe
      imValues[aIndex] = abSumIm + evenIm
      reValues[bIndex] = abDiffRe + oddRe
      imValues[bIndex] = abDiffIm + oddIm
      reValues[cIndex] = abSumRe - evenRe
      imValues[cIndex] = abSumIm - evenIm
      reValues[dIndex] = abDiffRe - oddRe
      imValues[dIndex] = abDiffIm - oddIm
    }
  }
}

/**
 * Multiplies the value at `oddIndex` by the twiddle factor twiddleRe + i twiddleIm, then replaces the values at `evenIndex`
 * and `oddIndex` by their sum and difference.
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
