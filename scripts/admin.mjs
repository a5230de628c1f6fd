import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode, root } from './node-version.mjs'

// `npm run admin -- COMMAND`: works before any start; only the command's answer goes to standard output.
await orFail(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('server')
})

process.env.NODE_ENV ??= 'production'
process.setSourceMapsEnabled(true)
const program = join(root, 'dist/server/admin.js')
process.argv[1] = program
await import(pathToFileURL(program).href)
