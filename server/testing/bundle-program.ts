import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const programsFolder = fileURLToPath(new URL('../../dist/test-programs/server', import.meta.url))

/**
 * Bundles a program of the server for tests that start processes, because loading its sources would take seconds. Returns the path of the
 * bundle in `targetFolder`.
 */
export async function bundleProgram(sourceUrl: URL, targetFolder = programsFolder): Promise<string> {
  const programPath = join(targetFolder, `${basename(sourceUrl.pathname, '.ts')}.js`)
  await build({
    entryPoints: [fileURLToPath(sourceUrl)],
    outfile: programPath,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  return programPath
}
