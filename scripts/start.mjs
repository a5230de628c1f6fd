import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { exitOnFailure, requireNode, root } from './node-version.mjs'

// `npm start`: installs missing packages, builds changed sources, and runs the server in this process.
await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel', 'client', 'server')
})

process.env.NODE_ENV ??= 'production'
process.setSourceMapsEnabled(true)
// Enables Node's cache of compiled code between starts, which exists since Node 22.
const { enableCompileCache } = /** @type {{ enableCompileCache?: (directory: string) => void }} */ (module)
enableCompileCache?.(join(root, 'node_modules/.cache/node'))

const programPath = join(root, 'dist/server/main.js')
process.argv[1] = programPath
await import(pathToFileURL(programPath).href)
