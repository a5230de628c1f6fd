import { expect, it } from 'vitest'
import { computeKernelMemoryBytes, planRender } from './render-plan.ts'
import { loadWasmKernel } from './testing/kernels.ts'
import { computeChecksum, KNOWN_WAVS, renderKnownWav } from './testing/known-wav.ts'

it.each(KNOWN_WAVS)('the file of the settings "$name" has the same bytes in Node as in the page', (wavCase) => {
  const kernel = loadWasmKernel(computeKernelMemoryBytes(planRender(wavCase.settings)))
  expect(computeChecksum(renderKnownWav(kernel, wavCase))).toBe(wavCase.checksum)
})
