import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Kernel } from '../kernel.ts'
import { createWasmKernel } from '../wasm/kernel.ts'

/** The compiled kernel module, which `npm run build` or, before tests, `testing/kernel.mjs` builds. */
export const kernelModule = () =>
  new WebAssembly.Module(readFileSync(fileURLToPath(new URL('../../dist/dsp/kernel.wasm', import.meta.url))))

export const wasmKernel = (capacityBytes?: number): Kernel => createWasmKernel(kernelModule(), capacityBytes)
