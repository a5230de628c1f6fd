import { checks } from './checks.mjs'
import { ensureInstalled } from './install.mjs'
import { orFail, requireNode } from './node-version.mjs'
import { runSteps } from './steps.mjs'

await orFail(async () => {
  requireNode()
  ensureInstalled()
})
const { failed } = await runSteps(checks)
process.exitCode = failed === 0 ? 0 : 1
