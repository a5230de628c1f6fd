import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { hashOf, isFresh, stamp } from './inputs.mjs'
import { say } from './install.mjs'
import { replaceBuild } from './keep-builds.mjs'
import { root } from './node-version.mjs'

/** @typedef {import('./inputs.mjs').Part} Part */

/** Builds those of `parts` whose inputs have changed. Writes to standard error only. @param {Part[]} parts */
export async function ensureBuilt(...parts) {
  for (const part of parts) if (!isFresh(part)) await build(part)
}

/** @param {Part} part */
export async function build(part) {
  const startMs = Date.now()
  const hash = hashOf(part)
  if (!(await builders[part]())) throw new Error(`the ${part} could not be built (see above)`)
  stamp(part, hash)
  say(`built the ${part} in ${((Date.now() - startMs) / 1000).toFixed(1)} s`)
}

/** In a process of its own: Vite's memory is not the server's. */
function buildClient() {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const stdio = /** @type {const} */ (['ignore', process.stderr, process.stderr])
  const env = { ...process.env, NODE_ENV: 'production' }
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn', '--emptyOutDir', ...args], { cwd: root, env, stdio: [...stdio] })
      .status === 0
  // The same program twice: for the page, and for the server to render the first paint with.
  if (!run('--outDir', '../dist/client.next') || !run('--ssr', 'prerender.tsx', '--outDir', '../dist/prerender')) return false
  replaceBuild(join(root, 'dist/client.next'), join(root, 'dist/client'), join(root, 'dist/builds.json'))
  return true
}

async function buildServer() {
  const { bundleServer } = await import('./bundle-server.mjs')
  return bundleServer().then(
    () => true,
    () => false,
  )
}

async function buildKernel() {
  const { compileKernel } = await import('./compile-kernel.mjs')
  return compileKernel()
}

/** Each says why on standard error where it fails. @type {Record<Part, () => boolean | Promise<boolean>>} */
const builders = { kernel: buildKernel, client: buildClient, server: buildServer }
