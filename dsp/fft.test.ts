import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ComplexArray, fft, inverseFft } from './fft.ts'

const anyComplexArrays = fc
  .integer({ min: 0, max: 7 })
  .chain((log2Length) =>
    fc.tuple(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2 ** log2Length, maxLength: 2 ** log2Length }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2 ** log2Length, maxLength: 2 ** log2Length }),
    ),
  )
  .map(([re, im]): ComplexArray => ({ re: Float64Array.from(re), im: Float64Array.from(im) }))

/** Returns the expected result: the discrete Fourier transform, computed by its definition. */
function computeTransformByDefinition({ re, im }: ComplexArray): [number, number][] {
  return Array.from(re, (_, binIndex) => {
    let [sumRe, sumIm] = [0, 0]
    re.forEach((sampleValue, sampleIndex) => {
      const angle = (-2 * Math.PI * binIndex * sampleIndex) / re.length
      sumRe += sampleValue * Math.cos(angle) - (im[sampleIndex] ?? 0) * Math.sin(angle)
      sumIm += sampleValue * Math.sin(angle) + (im[sampleIndex] ?? 0) * Math.cos(angle)
    })
    return [sumRe, sumIm]
  })
}

it('fft computes the discrete Fourier transform', () => {
  fc.assert(
    fc.property(anyComplexArrays, (complexArray) => {
      const expectedSpectrum = computeTransformByDefinition(complexArray)
      fft(complexArray)
      expectedSpectrum.forEach(([expectedRe, expectedIm], binIndex) => {
        expect(complexArray.re[binIndex]).toBeCloseTo(expectedRe, 10)
        expect(complexArray.im[binIndex]).toBeCloseTo(expectedIm, 10)
      })
    }),
    { numRuns: 40 },
  )
})

it('inverseFft restores the input, multiplied by the length', () => {
  fc.assert(
    fc.property(anyComplexArrays, (complexArray) => {
      const valuesBefore = { re: complexArray.re.slice(), im: complexArray.im.slice() }
      fft(complexArray)
      inverseFft(complexArray)
      valuesBefore.re.forEach((sampleValue, sampleIndex) => {
        expect((complexArray.re[sampleIndex] ?? 0) / valuesBefore.re.length).toBeCloseTo(sampleValue, 12)
        expect((complexArray.im[sampleIndex] ?? 0) / valuesBefore.re.length).toBeCloseTo(valuesBefore.im[sampleIndex] ?? 0, 12)
      })
    }),
  )
})
