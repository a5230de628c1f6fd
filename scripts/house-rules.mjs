import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findMissingPlatforms } from './lock-platforms.mjs'
import { root } from './node-version.mjs'
import { listSourceFiles } from './source-files.mjs'

// Rules of the project that no linter checks. Prints each breach; exits with 1 if there is one.
const vagueNames = /(^|[/.-])(utils?|misc|helpers?|common)([/.-]|$)/i

/** @type {string[]} */
const violationTexts = []
const filePaths = listSourceFiles()

for (const filePath of filePaths) {
  if (vagueNames.test(filePath)) violationTexts.push(`${filePath}: a vague name`)
  // `crypto.randomUUID` is undefined where a page is reached by plain http under another name than localhost.
  if (/^client\/.*\.tsx?$/.test(filePath) && readFileSync(join(root, filePath), 'utf8').includes('crypto.randomUUID('))
    violationTexts.push(`${filePath}: crypto.randomUUID, for which client/primitives/unique-id.ts stands in`)
}

// A property that nothing sets makes its declaration invalid, without a message.
const clientFiles = filePaths
  .filter((file) => /^client\/.*\.(css|tsx?)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
const definedCssProperties = new Set(
  clientFiles.flatMap(({ file, text }) =>
    [...text.matchAll(file.endsWith('.css') ? /(?<![\w-])(--[\w-]+)\s*:/g : /['"`](--[\w-]+)/g)].map(([, name]) => name),
  ),
)
for (const { file, text } of clientFiles)
  for (const [, name] of text.matchAll(/var\(\s*(--[\w-]+)\s*\)/g))
    if (!definedCssProperties.has(name)) violationTexts.push(`${file}: var(${name}), which is set nowhere`)

const lockFile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const resolvedEntries = Object.entries(lockFile.packages).filter(([, entry]) => 'resolved' in entry)
if (resolvedEntries.length > 0) {
  violationTexts.push(
    `package-lock.json names a registry host ${resolvedEntries.length} times: npm install --omit-lockfile-registry-resolved`,
  )
}

const missingCount = Object.keys(findMissingPlatforms(lockFile.packages)).length
if (missingCount > 0)
  violationTexts.push(`package-lock.json lacks ${missingCount} packages for other platforms: node scripts/complete-lock.mjs`)

for (const breach of violationTexts) process.stdout.write(`${breach}\n`)
process.stdout.write(`${filePaths.length} files, ${violationTexts.length} breaches\n`)
process.exitCode = violationTexts.length === 0 && filePaths.length > 0 ? 0 : 1
