import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findMissingPlatforms } from './lock-platforms.mjs'
import { root } from './node-version.mjs'

// `node scripts/complete-lock.mjs` adds packages for other platforms that npm left out of the lock file because the registry in use does not
// have them. `npm ci` refuses such a lock file, and `npm run check` fails.
const filePath = join(root, 'package-lock.json')
const lockFile = JSON.parse(readFileSync(filePath, 'utf8'))
const missingPackages = findMissingPlatforms(lockFile.packages)
const packageEntries = Object.entries({ ...lockFile.packages, ...missingPackages }).sort(([a], [b]) => a.localeCompare(b, 'en'))
if (Object.keys(missingPackages).length > 0)
  writeFileSync(filePath, `${JSON.stringify({ ...lockFile, packages: Object.fromEntries(packageEntries) }, null, 2)}\n`)
process.stdout.write(`${Object.keys(missingPackages).length} entries added\n`)
