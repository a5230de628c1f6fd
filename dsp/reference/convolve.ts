import { createComplexArray, fft, inverseFft } from '../fft.ts'
import { CELL_FRAMES, type Spectrum } from '../kernel.ts'

const TRANSFORM_LENGTH = 2 * CELL_FRAMES

export const allocateSpectrum = (): Spectrum => ({ re: new Float32Array(TRANSFORM_LENGTH), im: new Float32Array(TRANSFORM_LENGTH) })

export function transform(firstCell: Float32Array, secondCell: Float32Array, channelCount: number, targetSpectrum: Spectrum): void {
  const transformValues = createComplexArray(TRANSFORM_LENGTH)
  ;[firstCell, secondCell].forEach((cellSamples, halfIndex) => {
    for (let frame = 0; frame < CELL_FRAMES; frame++) {
      transformValues.re[halfIndex * CELL_FRAMES + frame] = cellSamples[frame * channelCount] as number
      if (channelCount === 2) transformValues.im[halfIndex * CELL_FRAMES + frame] = cellSamples[2 * frame + 1] as number
    }
  })
  fft(transformValues)
  targetSpectrum.re.set(transformValues.re)
  targetSpectrum.im.set(transformValues.im)
}

export function transformResponse(reValues: Float32Array, imValues: Float32Array, targetSpectrum: Spectrum): void {
  const transformValues = createComplexArray(TRANSFORM_LENGTH)
  transformValues.re.set(reValues)
  transformValues.im.set(imValues)
  fft(transformValues)
  targetSpectrum.re.set(transformValues.re)
  targetSpectrum.im.set(transformValues.im)
}

export function multiplyAdd(firstSpectrum: Spectrum, secondSpectrum: Spectrum, sumSpectrum: Spectrum): void {
  for (let binIndex = 0; binIndex < TRANSFORM_LENGTH; binIndex++) {
    const [aRe, aIm, bRe, bIm] = [
      firstSpectrum.re[binIndex] as number,
      firstSpectrum.im[binIndex] as number,
      secondSpectrum.re[binIndex] as number,
      secondSpectrum.im[binIndex] as number,
    ]
    sumSpectrum.re[binIndex] = (sumSpectrum.re[binIndex] as number) + aRe * bRe - aIm * bIm
    sumSpectrum.im[binIndex] = (sumSpectrum.im[binIndex] as number) + aRe * bIm + aIm * bRe
  }
}

export function addInverse(spectrum: Spectrum, gainFactor: number, cellSamples: Float32Array, channelCount: number): void {
  const transformValues = { re: Float64Array.from(spectrum.re), im: Float64Array.from(spectrum.im) }
  inverseFft(transformValues)
  const channelSamples = [transformValues.re, transformValues.im]
  for (let channelIndex = 0; channelIndex < channelCount; channelIndex++)
    for (let frame = 0; frame < CELL_FRAMES; frame++)
      cellSamples[frame * channelCount + channelIndex] =
        (cellSamples[frame * channelCount + channelIndex] as number) +
        ((channelSamples[channelIndex]?.[CELL_FRAMES + frame] as number) * gainFactor) / TRANSFORM_LENGTH
}
