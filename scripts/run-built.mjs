import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './install.mjs'
import { exitOnFailure, requireNode } from './node-version.mjs'
import { runNode } from './steps.mjs'

// `node scripts/run-built.mjs PROGRAM.ts [arguments]`: runs a TypeScript program that needs the built app.
await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel', 'client', 'server')
})
process.exitCode = await runNode(['node_modules/tsx/dist/cli.mjs', ...process.argv.slice(2)], { minutes: 120 })
