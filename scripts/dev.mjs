import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer } from './bundle-server.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { exitOnFailure, requireNode, root } from './node-version.mjs'

// `npm run dev`: rebuilds the client and restarts the server on every change. The server serves the client, as in production; the page has
// to be reloaded manually.
await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel')
})
const env = { ...process.env, NODE_ENV: 'development' }
const vitePath = join(root, 'node_modules/vite/bin/vite.js')
const clientBuildArgs = ['build', '--mode', 'development', '--logLevel', 'warn']
const viteBuilds = [clientBuildArgs, [...clientBuildArgs, '--ssr', 'prerender.tsx', '--outDir', '../dist/prerender']]
// Removes the recorded hash of the build's inputs, because the development build in dist/ differs from that of `npm start`.
rmSync(join(root, 'dist/inputs.json'), { force: true })
for (const args of viteBuilds)
  if (spawnSync(process.execPath, [vitePath, ...args], { cwd: root, env, stdio: 'inherit' }).status !== 0) process.exit(1)
// Bundles the server, because its thread that renders pages runs a bundled program.
await bundleServer()

const tsxPath = join(root, 'node_modules/tsx/dist/cli.mjs')
const childProcesses = [
  ...viteBuilds.map((args) => [vitePath, ...args, '--watch', '--emptyOutDir', 'false']),
  [tsxPath, 'watch', '--clear-screen=false', '--include', 'dist/prerender/prerender.js', 'server/main.ts'],
].map((args) => spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }))
const stopServer = () => {
  for (const child of childProcesses) child.kill('SIGTERM')
}
process.once('SIGINT', stopServer)
process.once('SIGTERM', stopServer)
for (const child of childProcesses) child.once('exit', stopServer)
