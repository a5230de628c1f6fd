import { expect, it } from 'vitest'
import { loadKernel } from './load-kernel.ts'
import { referenceKernel } from './reference/kernel.ts'
import { kernelModule } from './testing/kernels.ts'

it('takes the compiled kernel', async () => {
  expect(await loadKernel(async () => kernelModule())).not.toBe(referenceKernel)
})

it('takes the reference where the kernel does not compile, as without SIMD', async () => {
  // A module that asks for an instruction that there is not.
  const unknown = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 5, 1, 3, 0, 0xfe, 0xff)
  expect(await loadKernel(() => WebAssembly.compile(unknown))).toBe(referenceKernel)
})

it('hides no other failure', async () => {
  await expect(loadKernel(() => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch')
})
