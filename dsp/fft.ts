/** Complex numbers with the real and the imaginary parts in arrays of their own, both of the same length. */
export interface Complex {
  readonly re: Float64Array
  readonly im: Float64Array
}

export const complex = (length: number): Complex => ({ re: new Float64Array(length), im: new Float64Array(length) })

/** Cosines and sines of one turn in `length` steps. */
const turns = new Map<number, { cos: Float64Array; sin: Float64Array }>()

function turnOf(length: number) {
  let turn = turns.get(length)
  if (turn === undefined) {
    turn = { cos: new Float64Array(length / 2), sin: new Float64Array(length / 2) }
    for (let k = 0; k < length / 2; k++) {
      turn.cos[k] = Math.cos((2 * Math.PI * k) / length)
      turn.sin[k] = Math.sin((2 * Math.PI * k) / length)
    }
    turns.set(length, turn)
  }
  return turn
}

/**
 * The discrete Fourier transform in place, in double precision: X[k] = sum over n of x[n] exp(-2 pi i k n / length). The length is a power
 * of two. Radix 2, decimation in time (Cooley and Tukey 1965; Press et al., "Numerical Recipes", section 12.2).
 */
export function fft({ re, im }: Complex): void {
  const length = re.length
  const { cos, sin } = turnOf(length)
  reverseBits(re)
  reverseBits(im)
  for (let size = 2; size <= length; size *= 2) {
    const half = size / 2
    const stride = length / size
    for (let start = 0; start < length; start += size) {
      for (let k = 0; k < half; k++) {
        const even = start + k
        const odd = even + half
        const wr = at(cos, k * stride)
        const wi = -at(sin, k * stride)
        const r = at(re, odd) * wr - at(im, odd) * wi
        const i = at(re, odd) * wi + at(im, odd) * wr
        re[odd] = at(re, even) - r
        im[odd] = at(im, even) - i
        re[even] = at(re, even) + r
        im[even] = at(im, even) + i
      }
    }
  }
}

/** The inverse of `fft`, times the length: the caller scales. It is the same transform with the two parts changed over. */
export const inverseFft = ({ re, im }: Complex): void => fft({ re: im, im: re })

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

/** An index that the loop's bounds keep inside: there is always a number. */
const at = (values: Float64Array, index: number): number => values[index] as number
