import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { hashInputs, isFresh, storeStamp } from './inputs.mjs'
import { printLine } from './install.mjs'
import { replaceBuild } from './keep-builds.mjs'
import { root } from './node-version.mjs'

/** @typedef {import('./inputs.mjs').BuildTarget} BuildTarget */

/** Builds those of `targets` whose inputs have changed. Writes to standard error only. @param {BuildTarget[]} targets */
export async function ensureBuilt(...targets) {
  for (const target of targets) if (!isFresh(target)) await buildTarget(target)
}

/** @param {BuildTarget} buildTargetName */
export async function buildTarget(buildTargetName) {
  const startMs = Date.now()
  const inputsHash = hashInputs(buildTargetName)
  if (!(await builderByTarget[buildTargetName]())) throw new Error(`the ${buildTargetName} could not be built (see above)`)
  storeStamp(buildTargetName, inputsHash)
  printLine(`built the ${buildTargetName} in ${((Date.now() - startMs) / 1000).toFixed(1)} s`)
}

/** Runs Vite in a child process, so that its memory is freed before the server starts. */
function buildClient() {
  const vitePath = join(root, 'node_modules/vite/bin/vite.js')
  const stdioOptions = /** @type {const} */ (['ignore', process.stderr, process.stderr])
  const buildEnv = { ...process.env, NODE_ENV: 'production' }
  const runVite = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [vitePath, 'build', '--logLevel', 'warn', '--emptyOutDir', ...args], {
      cwd: root,
      env: buildEnv,
      stdio: [...stdioOptions],
    }).status === 0
  // Builds the client twice: for the browser, and for rendering on the server.
  if (!runVite('--outDir', '../dist/client.next') || !runVite('--ssr', 'prerender.tsx', '--outDir', '../dist/prerender')) return false
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

/** The build function of each build target. Each prints the reason of a failure to standard error. @type {Record<BuildTarget, () => boolean | Promise<boolean>>} */
const builderByTarget = { kernel: buildKernel, client: buildClient, server: buildServer }
