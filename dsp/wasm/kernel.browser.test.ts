import { expect, it } from 'vitest'
import kernelUrl from '../../dist/dsp/kernel.wasm?url'
import { EXPECTED_CHECKSUM, knownRenderChecksum } from '../testing/known-render.ts'
import { createWasmKernel } from './kernel.ts'

it('the compiled kernel renders the same bits in the browser as in Node', async () => {
  const module = await WebAssembly.compileStreaming(fetch(kernelUrl))
  expect(knownRenderChecksum(createWasmKernel(module))).toBe(EXPECTED_CHECKSUM)
})
