import { cosPi, sinPi } from '../elementary.ts'

/**
 * Returns the bin at each index of a spectrum of the compiled kernel, for a transform of `transformLength` (a power of 4, at least 64). Every step except the
 * last two moves the next base-4 digit of the bin to the front; the last two leave sixteen values in natural order.
 */
export function computeSpectrumOrder(transformLength: number): Int32Array {
  const binOrder = new Int32Array(transformLength)
  for (let index = 0; index < transformLength; index++) {
    let binInVector = index & 15
    for (let remainingDigits = index >> 4, remainingLength = transformLength >> 4; remainingLength > 1; remainingLength >>= 2) {
      binInVector = binInVector * 4 + (remainingDigits & 3)
      remainingDigits >>= 2
    }
    binOrder[index] = binInVector
  }
  return binOrder
}

/**
 * Returns the twiddle factors of all steps of a transform of `transformLength`, in the layout that dsp/assembly/fft.ts describes. `laneCount`, the number of
 * values in a vector, is 4 in single precision and 2 in double precision.
 */
export function computeTwiddleFactors(transformLength: number, laneCount: 2 | 4): number[] {
  const twiddleValues: number[] = []
  for (let stepSize = transformLength; stepSize >= 16; stepSize /= 4)
    for (let k = 0; k < stepSize / 4; k += laneCount)
      for (let power = 1; power <= 3; power++)
        for (const component of [cosPi, (halfTurns: number) => -sinPi(halfTurns)])
          for (let lane = 0; lane < laneCount; lane++) twiddleValues.push(component((2 * power * (k + lane)) / stepSize))
  return twiddleValues
}
