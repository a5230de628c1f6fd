import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingPlatforms } from './lock-platforms.mjs'
import { root } from './node-version.mjs'

// Rules of the house that no linter knows. Prints each breach; ends with 1 where there is one.
const maxLines = 400
const vagueNames = /(^|[/.-])(utils?|misc|helpers?|common)([/.-]|$)/i
/** Longer than the rule for a reason: data, not code, or written by a tool. */
const exempt = [/^package-lock\.json$/, /\.gen\.ts$/, /^server\/demo\/.*\.(json|md)$/, /^docs\//, /^README\.md$/]

const notOurs = /^(node_modules|dist|data|coverage|test-results|playwright-report|shots|\.git|\.vite)$/

/** @type {string[]} */
const breaches = []
const files = filesBelow('')

for (const file of files) {
  if (vagueNames.test(file)) breaches.push(`${file}: a name that says nothing`)
  if (!/\.(tsx?|mjs|css|html|json|md)$/.test(file) || exempt.some((pattern) => pattern.test(file))) continue
  const lines = readText(file)?.split('\n').length ?? 0
  if (lines > maxLines) breaches.push(`${file}: ${lines} lines, more than ${maxLines}`)
}

const lock = JSON.parse(readText('package-lock.json') ?? '{}')
const resolved = Object.entries(lock.packages).filter(([, entry]) => 'resolved' in entry)
if (resolved.length > 0) {
  breaches.push(`package-lock.json names a registry host ${resolved.length} times: npm install --omit-lockfile-registry-resolved`)
}

const missing = Object.keys(missingPlatforms(lock.packages)).length
if (missing > 0) breaches.push(`package-lock.json lacks ${missing} packages for other platforms: node scripts/complete-lock.mjs`)

for (const breach of breaches) process.stdout.write(`${breach}\n`)
process.stdout.write(`${files.length} files, ${breaches.length} breaches\n`)
process.exitCode = breaches.length === 0 && files.length > 0 ? 0 : 1

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (folder === '' && notOurs.test(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
