import { buildTarget } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode } from './node-version.mjs'

await orFail(async () => {
  requireNode()
  ensureInstalled()
  await buildTarget('kernel')
  await buildTarget('client')
  await buildTarget('server')
})
