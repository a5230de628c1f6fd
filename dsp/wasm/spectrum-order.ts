/**
 * The bin of each place in a spectrum of the compiled kernel, for a transform of `length` (a power of 4, from 64 on): every step but the last
 * two puts a base-4 digit of the bin to the front, the last two leave sixteen places in order.
 */
export function spectrumOrder(length: number): Int32Array {
  const order = new Int32Array(length)
  for (let place = 0; place < length; place++) {
    let bin = place & 15
    for (let rest = place >> 4, left = length >> 4; left > 1; left >>= 2) {
      bin = bin * 4 + (rest & 3)
      rest >>= 2
    }
    order[place] = bin
  }
  return order
}

/**
 * The kernel's twiddle factors (dsp/assembly/fft.ts says how they stand) for all steps of a transform of `length`; `lanes` is 4 in single
 * precision and 2 in double.
 */
export function twiddleFactors(length: number, lanes: 2 | 4): number[] {
  const factors: number[] = []
  for (let size = length; size >= 16; size /= 4)
    for (let k = 0; k < size / 4; k += lanes)
      for (let power = 1; power <= 3; power++)
        for (const part of [Math.cos, (angle: number) => -Math.sin(angle)])
          for (let lane = 0; lane < lanes; lane++) factors.push(part((2 * Math.PI * power * (k + lane)) / size))
  return factors
}
