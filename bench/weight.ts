import { JS_BUDGET_BYTES, routeWeights } from './page-weight.ts'
import { report } from './report.ts'

let kept = true
for (const [route, bytes] of Object.entries(routeWeights()))
  kept = report(`program of ${route} before the first interaction`, bytes / 1024, 'KiB', { atMost: JS_BUDGET_BYTES / 1024 }) && kept
process.exitCode = kept ? 0 : 1
