import { join } from 'node:path'
import { resolveConfig } from 'vite'
import { root } from './node-version.mjs'

// Writes client/routeTree.gen.ts, the tree of the files in client/routes: the plugin of the router does so when Vite reads its configuration.

await resolveConfig({ configFile: join(root, 'vite.config.ts') }, 'build')
