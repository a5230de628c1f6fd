import { expect, it } from 'vitest'
import { referenceKernel } from '../reference/kernel.ts'
import { wasmKernel } from '../testing/kernels.ts'
import { EXPECTED_CHECKSUM, knownRenderChecksum } from '../testing/known-render.ts'

it('the compiled kernel renders the same bits in Node as in a browser', () => {
  expect(knownRenderChecksum(wasmKernel())).toBe(EXPECTED_CHECKSUM)
})

it('the reference kernel renders different bits from the compiled kernel', () => {
  expect(knownRenderChecksum(referenceKernel)).not.toBe(EXPECTED_CHECKSUM)
})
