import { createComplexArray, fft, inverseFft } from '../fft.ts'
import { CELL_FRAMES, type Spectrum } from '../kernel.ts'

const TRANSFORM_LENGTH = 2 * CELL_FRAMES

export const allocateSpectrum = (): Spectrum => ({ re: new Float32Array(TRANSFORM_LENGTH), im: new Float32Array(TRANSFORM_LENGTH) })

export function transform(firstCell: Float32Array, secondCell: Float32Array, channels: number, target: Spectrum): void {
  const values = createComplexArray(TRANSFORM_LENGTH)
  ;[firstCell, secondCell].forEach((cell, half) => {
    for (let frame = 0; frame < CELL_FRAMES; frame++) {
      values.re[half * CELL_FRAMES + frame] = cell[frame * channels] as number
      if (channels === 2) values.im[half * CELL_FRAMES + frame] = cell[2 * frame + 1] as number
    }
  })
  fft(values)
  target.re.set(values.re)
  target.im.set(values.im)
}

export function transformResponse(re: Float32Array, im: Float32Array, target: Spectrum): void {
  const values = createComplexArray(TRANSFORM_LENGTH)
  values.re.set(re)
  values.im.set(im)
  fft(values)
  target.re.set(values.re)
  target.im.set(values.im)
}

export function multiplyAdd(a: Spectrum, b: Spectrum, sum: Spectrum): void {
  for (let bin = 0; bin < TRANSFORM_LENGTH; bin++) {
    const [ar, ai, br, bi] = [a.re[bin] as number, a.im[bin] as number, b.re[bin] as number, b.im[bin] as number]
    sum.re[bin] = (sum.re[bin] as number) + ar * br - ai * bi
    sum.im[bin] = (sum.im[bin] as number) + ar * bi + ai * br
  }
}

export function addInverse(spectrum: Spectrum, gain: number, cell: Float32Array, channels: number): void {
  const values = { re: Float64Array.from(spectrum.re), im: Float64Array.from(spectrum.im) }
  inverseFft(values)
  const channelSamples = [values.re, values.im]
  for (let channelIndex = 0; channelIndex < channels; channelIndex++)
    for (let frame = 0; frame < CELL_FRAMES; frame++)
      cell[frame * channels + channelIndex] =
        (cell[frame * channels + channelIndex] as number) +
        ((channelSamples[channelIndex]?.[CELL_FRAMES + frame] as number) * gain) / TRANSFORM_LENGTH
}
