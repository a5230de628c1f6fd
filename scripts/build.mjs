import { buildTarget } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { exitOnFailure, requireNode } from './node-version.mjs'

await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
  await buildTarget('kernel')
  await buildTarget('client')
  await buildTarget('server')
})
