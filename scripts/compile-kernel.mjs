import { main } from 'assemblyscript/asc'
import { root } from './node-version.mjs'

/**
 * Compiles dsp/assembly to dist/dsp/kernel.wasm, reproducibly. Errors go to standard error.
 *
 * @returns {Promise<boolean>} whether it compiled
 */
export async function compileKernel() {
  const { error } = await main(
    [
      'dsp/assembly/kernel.ts',
      ...['--baseDir', root],
      ...['--outFile', 'dist/dsp/kernel.wasm'],
      ...['--optimizeLevel', '3', '--converge', '--noAssert'],
      ...['--runtime', 'stub', '--importMemory', '--enable', 'simd'],
      // Disables the warning about exported functions with SIMD vectors: only files of the kernel call them.
      ...['--disableWarning', '112'],
    ],
    { stdout: process.stderr, stderr: process.stderr },
  )
  return error === null
}
