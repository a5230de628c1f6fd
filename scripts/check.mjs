import { checks } from './checks.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode } from './node-version.mjs'
import { runSteps } from './steps.mjs'

await orFail(async () => {
  requireNode()
  ensureInstalled()
})
const { failed: failedCount } = await runSteps(checks)
process.exitCode = failedCount === 0 ? 0 : 1
