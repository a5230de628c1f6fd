import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Kernel } from '../kernel.ts'
import { createWasmKernel } from '../wasm/kernel.ts'

/** The compiled kernel module. `npm run build` builds it, and before tests `testing/kernel.mjs`. */
export const readKernelModule = () =>
  new WebAssembly.Module(readFileSync(fileURLToPath(new URL('../../dist/dsp/kernel.wasm', import.meta.url))))

export const loadWasmKernel = (capacityBytes?: number): Kernel => createWasmKernel(readKernelModule(), capacityBytes)
