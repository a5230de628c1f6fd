import kernelUrl from '../../dist/dsp/kernel.wasm?url'

let compiled: Promise<WebAssembly.Module | undefined> | undefined

/** The kernel, compiled once for the page and all its workers; undefined where WebAssembly or its SIMD is missing. */
export function kernelModule(): Promise<WebAssembly.Module | undefined> {
  compiled ??= compile(kernelUrl).catch((error: unknown) => {
    // A network that fails may be back at the next try.
    compiled = undefined
    throw error
  })
  return compiled
}

async function compile(url: string): Promise<WebAssembly.Module | undefined> {
  if (typeof WebAssembly === 'undefined') return undefined
  try {
    return await compileFrom(url)
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined
    throw error
  }
}

/** As it arrives, or as a whole where the server calls it by another type than application/wasm. */
export async function compileFrom(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(fetch(url))
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) throw error
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    return WebAssembly.compile(await response.arrayBuffer())
  }
}
