import { build } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode } from './node-version.mjs'

await orFail(async () => {
  requireNode()
  ensureInstalled()
  await build('kernel')
  await build('client')
  await build('server')
})
