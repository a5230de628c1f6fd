import { complex, fft, inverseFft } from '../fft.ts'
import { CELL_FRAMES, type Spectrum } from '../kernel.ts'

const LENGTH = 2 * CELL_FRAMES

export const allocateSpectrum = (): Spectrum => ({ re: new Float32Array(LENGTH), im: new Float32Array(LENGTH) })

export function transform(first: Float32Array, second: Float32Array, channels: number, into: Spectrum): void {
  const values = complex(LENGTH)
  ;[first, second].forEach((cell, half) => {
    for (let frame = 0; frame < CELL_FRAMES; frame++) {
      values.re[half * CELL_FRAMES + frame] = cell[frame * channels] as number
      if (channels === 2) values.im[half * CELL_FRAMES + frame] = cell[2 * frame + 1] as number
    }
  })
  fft(values)
  into.re.set(values.re)
  into.im.set(values.im)
}

export function multiplyAdd(a: Spectrum, b: Spectrum, sum: Spectrum): void {
  for (let bin = 0; bin < LENGTH; bin++) {
    const [ar, ai, br, bi] = [a.re[bin] as number, a.im[bin] as number, b.re[bin] as number, b.im[bin] as number]
    sum.re[bin] = (sum.re[bin] as number) + ar * br - ai * bi
    sum.im[bin] = (sum.im[bin] as number) + ar * bi + ai * br
  }
}

export function addInverse(spectrum: Spectrum, gain: number, cell: Float32Array, channels: number): void {
  const values = { re: Float64Array.from(spectrum.re), im: Float64Array.from(spectrum.im) }
  inverseFft(values)
  const parts = [values.re, values.im]
  for (let channel = 0; channel < channels; channel++)
    for (let frame = 0; frame < CELL_FRAMES; frame++)
      cell[frame * channels + channel] =
        (cell[frame * channels + channel] as number) + ((parts[channel]?.[CELL_FRAMES + frame] as number) * gain) / LENGTH
}
