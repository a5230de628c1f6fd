import { expect, it } from 'vitest'
import { referenceKernel } from '../reference/kernel.ts'
import { loadWasmKernel } from '../testing/kernels.ts'
import { computeKnownChecksum, EXPECTED_CHECKSUM } from '../testing/known-render.ts'

it('the compiled kernel renders the same bits in Node as in a browser', () => {
  expect(computeKnownChecksum(loadWasmKernel())).toBe(EXPECTED_CHECKSUM)
})

it('the reference kernel renders different bits from the compiled kernel', () => {
  expect(computeKnownChecksum(referenceKernel)).not.toBe(EXPECTED_CHECKSUM)
})
