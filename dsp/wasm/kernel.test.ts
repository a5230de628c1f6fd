import { expect, it } from 'vitest'
import { referenceKernel } from '../reference/kernel.ts'
import { wasmKernel } from '../testing/kernels.ts'
import { KNOWN_CHECKSUM, knownRender } from '../testing/known-render.ts'

it('writes the bits that it writes in a browser', () => {
  expect(knownRender(wasmKernel())).toBe(KNOWN_CHECKSUM)
})

it('is told apart from the reference by them', () => {
  expect(knownRender(referenceKernel)).not.toBe(KNOWN_CHECKSUM)
})
