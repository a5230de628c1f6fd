import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { exitOnFailure, requireNode, root } from './node-version.mjs'

// `npm run admin -- COMMAND`: installs and builds if necessary. Only the command's output goes to standard output.
await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('server')
})

process.env.NODE_ENV ??= 'production'
process.setSourceMapsEnabled(true)
const programPath = join(root, 'dist/server/admin.js')
process.argv[1] = programPath
await import(pathToFileURL(programPath).href)
