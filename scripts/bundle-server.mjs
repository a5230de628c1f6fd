import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './node-version.mjs'

/**
 * Packages of many small modules, which are bundled, because loading them one by one would take most of the time that a server or an admin command
 * needs to start.
 */
const bundledPackages = [
  '@fastify/cors',
  '@fastify/formbody',
  '@fastify/multipart',
  '@fastify/rate-limit',
  '@fastify/static',
  '@fastify/swagger',
  'fastify',
  'htmlparser2',
  'jose',
  'kysely',
  'nodemailer',
  'pg',
  'prom-client',
  'sanitize-html',
  'typebox',
]

/** Returns the names of the packages that the server loads from node_modules. */
function listExternalPackages() {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys({ ...dependencies, ...optionalDependencies })
  return packages.filter((name) => !bundledPackages.includes(name))
}

/** Bundles the server and the admin command. */
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
    external: listExternalPackages(),
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // Keeps regular expressions with `\p` as literals. They would be replaced by calls of `RegExp`, which compile at each use, because later versions
    // of Node know further properties.
    supported: { 'regexp-unicode-property-escapes': true },
    sourcemap: true,
    // Bundled CommonJS packages load modules of Node by `require`, which an ES module has to create.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url)",
    },
    logLevel: 'warning',
  })
}
