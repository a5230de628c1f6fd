import { main } from 'assemblyscript/asc'
import { root } from './node-version.mjs'

/**
 * Compiles dsp/assembly to dist/dsp/kernel.wasm: the same bytes from the same sources. What is wrong goes to standard error.
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
      // Vectors pass between its own files only.
      ...['--disableWarning', '112'],
    ],
    { stdout: process.stderr, stderr: process.stderr },
  )
  return error === null
}
