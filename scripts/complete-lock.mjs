import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingPlatforms } from './lock-platforms.mjs'
import { root } from './node-version.mjs'

// npm leaves a package for another platform out of the lock file where the registry in use does not offer it, and `npm ci` then
// refuses that lock file. `node scripts/complete-lock.mjs` puts them back; `npm run check` fails while one is missing.
const path = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8'))
const missing = missingPlatforms(lock.packages)
const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'))
if (Object.keys(missing).length > 0) writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`)
process.stdout.write(`${Object.keys(missing).length} entries added\n`)
