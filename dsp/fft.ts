/** Complex numbers in split format: real and imaginary parts in two arrays of the same length. */
export interface ComplexArray {
  readonly re: Float64Array
  readonly im: Float64Array
}

export const createComplexArray = (length: number): ComplexArray => ({ re: new Float64Array(length), im: new Float64Array(length) })

/** The twiddle factors by transform length: cos and sin of 2 pi k / length for k < length / 2. */
const twiddleCache = new Map<number, { cos: Float64Array; sin: Float64Array }>()

function twiddlesOf(length: number) {
  let twiddles = twiddleCache.get(length)
  if (twiddles === undefined) {
    twiddles = { cos: new Float64Array(length / 2), sin: new Float64Array(length / 2) }
    for (let k = 0; k < length / 2; k++) {
      twiddles.cos[k] = Math.cos((2 * Math.PI * k) / length)
      twiddles.sin[k] = Math.sin((2 * Math.PI * k) / length)
    }
    twiddleCache.set(length, twiddles)
  }
  return twiddles
}

/**
 * Computes the discrete Fourier transform in place, in double precision: X[k] = sum over n of x[n] exp(-2 pi i k n / length). The length is a power
 * of two. Radix 2, decimation in time (Cooley and Tukey 1965; Press et al., "Numerical Recipes", section 12.2).
 */
export function fft({ re, im }: ComplexArray): void {
  const length = re.length
  const { cos, sin } = twiddlesOf(length)
  reverseBits(re)
  reverseBits(im)
  for (let butterflySize = 2; butterflySize <= length; butterflySize *= 2) {
    const halfSize = butterflySize / 2
    const stride = length / butterflySize
    for (let start = 0; start < length; start += butterflySize) {
      for (let k = 0; k < halfSize; k++) {
        const evenIndex = start + k
        const oddIndex = evenIndex + halfSize
        const wr = at(cos, k * stride)
        const wi = -at(sin, k * stride)
        const r = at(re, oddIndex) * wr - at(im, oddIndex) * wi
        const i = at(re, oddIndex) * wi + at(im, oddIndex) * wr
        re[oddIndex] = at(re, evenIndex) - r
        im[oddIndex] = at(im, evenIndex) - i
        re[evenIndex] = at(re, evenIndex) + r
        im[evenIndex] = at(im, evenIndex) + i
      }
    }
  }
}

/** Computes the inverse DFT without the factor 1 / length, by an `fft` with real and imaginary parts swapped. */
export const inverseFft = ({ re, im }: ComplexArray): void => fft({ re: im, im: re })

function reverseBits(values: Float64Array): void {
  for (let i = 1, j = 0; i < values.length; i++) {
    let bit = values.length >> 1
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      const value = at(values, i)
      values[i] = at(values, j)
      values[j] = value
    }
  }
}

/** Reads an element whose index is known to be in range. */
const at = (values: Float64Array, index: number): number => values[index] as number
