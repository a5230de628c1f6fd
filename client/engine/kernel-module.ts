import kernelUrl from '../../dist/dsp/kernel.wasm?url'
import { loadOnce } from '../primitives/single-flight.ts'

/** Compiles the kernel once for the page and all its workers. Resolves with undefined if the browser lacks WebAssembly or its SIMD. */
export const loadKernelModule: () => Promise<WebAssembly.Module | undefined> = loadOnce(async () => {
  if (typeof WebAssembly === 'undefined') return undefined
  try {
    return await compileWasmModule(kernelUrl)
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined
    throw error
  }
})

/**
 * Compiles a module while it is downloaded. If the server sends another type than application/wasm, the module is compiled after the
 * download.
 */
export async function compileWasmModule(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(fetch(url))
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) throw error
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url}: status ${response.status}`)
    return WebAssembly.compile(await response.arrayBuffer())
  }
}
