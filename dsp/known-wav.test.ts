import { expect, it } from 'vitest'
import { kernelBytes, planRender } from './render-plan.ts'
import { wasmKernel } from './testing/kernels.ts'
import { checksumOf, KNOWN_WAVS, knownWav } from './testing/known-wav.ts'

it.each(KNOWN_WAVS)('a $name file has the bytes that it has in the page', (known) => {
  const kernel = wasmKernel(kernelBytes(planRender(known.settings)))
  expect(checksumOf(knownWav(kernel, known))).toBe(known.checksum)
})
