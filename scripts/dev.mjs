import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode, root } from './node-version.mjs'

// `npm run dev`: the page is rebuilt and the server restarted on every change. One origin, as in production: no second
// server, no proxy; reload the page by hand.
await orFail(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel')
})
const env = { ...process.env, NODE_ENV: 'development' }
const vite = join(root, 'node_modules/vite/bin/vite.js')
const client = ['build', '--mode', 'development']
// What is in dist is then no longer what `npm start` would build.
rmSync(join(root, 'dist/inputs.json'), { force: true })
if (spawnSync(process.execPath, [vite, ...client, '--logLevel', 'warn'], { cwd: root, env, stdio: 'inherit' }).status !== 0) process.exit(1)

const children = [
  spawn(process.execPath, [vite, ...client, '--watch', '--emptyOutDir', 'false', '--logLevel', 'warn'], {
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
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
for (const child of children) child.once('exit', stop)
