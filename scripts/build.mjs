import { build } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { requireNode } from './node-version.mjs'

requireNode()
ensureInstalled()
await build('client')
await build('server')
