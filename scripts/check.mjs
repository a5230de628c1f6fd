import { checks } from './checks.mjs'
import { ensureInstalled } from './install.mjs'
import { exitOnFailure, requireNode } from './node-version.mjs'
import { runSteps } from './steps.mjs'

await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
})
const { failed: failedCount } = await runSteps(checks)
process.exitCode = failedCount === 0 ? 0 : 1
