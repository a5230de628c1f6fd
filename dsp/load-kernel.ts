import type { Kernel } from './kernel.ts'
import { referenceKernel } from './reference/kernel.ts'
import { createWasmKernel } from './wasm/kernel.ts'

/**
 * The compiled kernel, or the reference where WebAssembly or its SIMD is missing: slower, and as good. `compile` compiles dist/dsp/kernel.wasm as
 * the runtime does; what goes wrong on the way there is thrown on. `capacityBytes` is for `createWasmKernel`.
 */
export async function loadKernel(compile: () => Promise<WebAssembly.Module>, capacityBytes?: number): Promise<Kernel> {
  if (typeof WebAssembly === 'undefined') return referenceKernel
  try {
    return createWasmKernel(await compile(), capacityBytes)
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return referenceKernel
    throw error
  }
}
