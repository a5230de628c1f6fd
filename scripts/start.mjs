import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode, root } from './node-version.mjs'

// `npm start`: install what is missing, build what changed, and become the server (its signals and its exit code are then ours).
await orFail(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel', 'client', 'server')
})

process.env.NODE_ENV ??= 'production'
process.setSourceMapsEnabled(true)
// Node 22 and later keep compiled code between starts.
const { enableCompileCache } = /** @type {{ enableCompileCache?: (directory: string) => void }} */ (module)
enableCompileCache?.(join(root, 'node_modules/.cache/node'))

const program = join(root, 'dist/server/main.js')
process.argv[1] = program
await import(pathToFileURL(program).href)
