import { cosPi, sinPi } from '../elementary.ts'

/**
 * Returns the bin at each index of a spectrum of the compiled kernel, for a transform of `length` (a power of 4, at least 64). Every step except the
 * last two moves the next base-4 digit of the bin to the front; the last two leave sixteen values in natural order.
 */
export function spectrumOrder(length: number): Int32Array {
  const order = new Int32Array(length)
  for (let index = 0; index < length; index++) {
    let bin = index & 15
    for (let remainingDigits = index >> 4, remainingLength = length >> 4; remainingLength > 1; remainingLength >>= 2) {
      bin = bin * 4 + (remainingDigits & 3)
      remainingDigits >>= 2
    }
    order[index] = bin
  }
  return order
}

/**
 * Returns the twiddle factors of all steps of a transform of `length`, in the layout that dsp/assembly/fft.ts describes. `lanes`, the number of
 * values in a vector, is 4 in single precision and 2 in double precision.
 */
export function twiddleFactors(length: number, lanes: 2 | 4): number[] {
  const factors: number[] = []
  for (let size = length; size >= 16; size /= 4)
    for (let k = 0; k < size / 4; k += lanes)
      for (let power = 1; power <= 3; power++)
        for (const component of [cosPi, (halfTurns: number) => -sinPi(halfTurns)])
          for (let lane = 0; lane < lanes; lane++) factors.push(component((2 * power * (k + lane)) / size))
  return factors
}
