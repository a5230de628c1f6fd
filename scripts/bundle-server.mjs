import { build } from 'esbuild'
import { root } from './node-version.mjs'

/** Bundles the server and the admin command; packages are loaded from node_modules. */
export async function bundleServer() {
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'server/main.ts',
      admin: 'server/admin/main.ts',
      convert: 'server/conversion/main.ts',
      render: 'server/pages/render-program.ts',
    },
    outdir: 'dist/server',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
  })
}
