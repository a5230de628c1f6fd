import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode, root } from './node-version.mjs'

// `npm run dev`: rebuilds the client and restarts the server on every change. The server serves the client, as in production; the page has
// to be reloaded manually.
await orFail(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel')
})
const env = { ...process.env, NODE_ENV: 'development' }
const vite = join(root, 'node_modules/vite/bin/vite.js')
const clientBuildArgs = ['build', '--mode', 'development']
// Removes the recorded hash of the build's inputs, because the development build in dist/ differs from that of `npm start`.
rmSync(join(root, 'dist/inputs.json'), { force: true })
if (spawnSync(process.execPath, [vite, ...clientBuildArgs, '--logLevel', 'warn'], { cwd: root, env, stdio: 'inherit' }).status !== 0)
  process.exit(1)

const childProcesses = [
  spawn(process.execPath, [vite, ...clientBuildArgs, '--watch', '--emptyOutDir', 'false', '--logLevel', 'warn'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
  spawn(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'server/main.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
]
const stopServer = () => {
  for (const child of childProcesses) child.kill('SIGTERM')
}
process.once('SIGINT', stopServer)
process.once('SIGTERM', stopServer)
for (const child of childProcesses) child.once('exit', stopServer)
