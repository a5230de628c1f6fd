import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Complex, fft, inverseFft } from './fft.ts'

const numbers = fc
  .integer({ min: 0, max: 7 })
  .chain((log) =>
    fc.tuple(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2 ** log, maxLength: 2 ** log }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2 ** log, maxLength: 2 ** log }),
    ),
  )
  .map(([re, im]): Complex => ({ re: Float64Array.from(re), im: Float64Array.from(im) }))

/** By the definition. */
function transform({ re, im }: Complex): [number, number][] {
  return Array.from(re, (_, k) => {
    let [r, i] = [0, 0]
    re.forEach((value, n) => {
      const turn = (-2 * Math.PI * k * n) / re.length
      r += value * Math.cos(turn) - (im[n] ?? 0) * Math.sin(turn)
      i += value * Math.sin(turn) + (im[n] ?? 0) * Math.cos(turn)
    })
    return [r, i]
  })
}

it('is the discrete Fourier transform', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const expected = transform(values)
      fft(values)
      expected.forEach(([r, i], k) => {
        expect(values.re[k]).toBeCloseTo(r, 10)
        expect(values.im[k]).toBeCloseTo(i, 10)
      })
    }),
    { numRuns: 40 },
  )
})

it('comes back from the inverse, times the length', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const before = { re: values.re.slice(), im: values.im.slice() }
      fft(values)
      inverseFft(values)
      before.re.forEach((value, n) => {
        expect((values.re[n] ?? 0) / before.re.length).toBeCloseTo(value, 12)
        expect((values.im[n] ?? 0) / before.re.length).toBeCloseTo(before.im[n] ?? 0, 12)
      })
    }),
  )
})
