import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Bundles a program of the server for tests that start processes, because loading its sources would take seconds. Returns the path of the
 * bundle.
 */
export async function bundleProgram(source: URL): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../dist/test-programs/server/${basename(source.pathname, '.ts')}.js`, import.meta.url))
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  return outfile
}
