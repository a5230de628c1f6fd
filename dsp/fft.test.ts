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
function definedTransform({ re, im }: ComplexArray): [number, number][] {
  return Array.from(re, (_, k) => {
    let [r, i] = [0, 0]
    re.forEach((value, n) => {
      const angle = (-2 * Math.PI * k * n) / re.length
      r += value * Math.cos(angle) - (im[n] ?? 0) * Math.sin(angle)
      i += value * Math.sin(angle) + (im[n] ?? 0) * Math.cos(angle)
    })
    return [r, i]
  })
}

it('fft computes the discrete Fourier transform', () => {
  fc.assert(
    fc.property(anyComplexArrays, (values) => {
      const expectedSpectrum = definedTransform(values)
      fft(values)
      expectedSpectrum.forEach(([r, i], k) => {
        expect(values.re[k]).toBeCloseTo(r, 10)
        expect(values.im[k]).toBeCloseTo(i, 10)
      })
    }),
    { numRuns: 40 },
  )
})

it('inverseFft restores the input, multiplied by the length', () => {
  fc.assert(
    fc.property(anyComplexArrays, (values) => {
      const valuesBefore = { re: values.re.slice(), im: values.im.slice() }
      fft(values)
      inverseFft(values)
      valuesBefore.re.forEach((value, n) => {
        expect((values.re[n] ?? 0) / valuesBefore.re.length).toBeCloseTo(value, 12)
        expect((values.im[n] ?? 0) / valuesBefore.re.length).toBeCloseTo(valuesBefore.im[n] ?? 0, 12)
      })
    }),
  )
})
