import { expect, it } from 'vitest'
import kernelUrl from '../../dist/dsp/kernel.wasm?url'
import { computeKnownChecksum, EXPECTED_CHECKSUM } from '../testing/known-render.ts'
import { createWasmKernel } from './kernel.ts'

it('the compiled kernel renders the same bits in the browser as in Node', async () => {
  const module = await WebAssembly.compileStreaming(fetch(kernelUrl))
  expect(computeKnownChecksum(createWasmKernel(module))).toBe(EXPECTED_CHECKSUM)
})
