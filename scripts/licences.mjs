import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-version.mjs'

// Writes docs/licences.md from the licences of the packages that run in production; with --check it only compares.
const allowedLicences = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
    'MPL-2.0',
    'OFL-1.1',
    'Unlicense',
    'Zlib',
  ],
])
/** The packages whose licence is not in the list, and the reason for each exception. */
const licenceExceptions = [
  {
    name: /^@img\/sharp-(libvips-|win32-|wasm32)/,
    licence: /LGPL-3\.0-or-later/,
    reason: 'libvips, a shared library that `sharp` loads and anyone may replace; unmodified, with its own licence texts',
  },
]
const pagePath = 'docs/licences.md'

/** @type {Record<string, { dev?: boolean, license?: string, version?: string }>} */
const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const licensedPackages = Object.entries(lockedPackages)
  .filter(([path, entry]) => path !== '' && entry.dev !== true)
  .map(([packagePath, lockEntry]) => ({
    name: packagePath.slice(packagePath.lastIndexOf('node_modules/') + 'node_modules/'.length),
    licence: readLicence(packagePath, lockEntry),
  }))
const uniquePackages = [...new Map(licensedPackages.map((each) => [`${each.name} ${each.licence}`, each])).values()].sort((a, b) =>
  a.name < b.name ? -1 : 1,
)

let hasFailed = false
for (const { name, licence } of uniquePackages) {
  if (isLicenceAllowed(licence) || findException(name, licence) !== undefined) continue
  process.stdout.write(`${name}: ${licence} is not an allowed licence\n`)
  hasFailed = true
}
if (uniquePackages.length === 0) {
  process.stdout.write('package-lock.json names no production package\n')
  hasFailed = true
}

const licencesText = formatPage()
if (!process.argv.includes('--check')) writeFileSync(join(root, pagePath), licencesText)
else if (readText(join(root, pagePath)) !== licencesText) {
  process.stdout.write(`${pagePath} is out of date: node scripts/licences.mjs\n`)
  hasFailed = true
}
process.stdout.write(`${uniquePackages.length} packages\n`)
process.exitCode = hasFailed ? 1 : 0

/** Returns the licence of a package by the lock file, else by the installed package.json. @param {string} packagePath @param {{ license?: string }} lockEntry */
function readLicence(packagePath, lockEntry) {
  if (lockEntry.license !== undefined) return lockEntry.license
  const text = readText(join(root, packagePath, 'package.json'))
  const license = text === undefined ? undefined : JSON.parse(text).license
  return String(typeof license === 'string' ? license : (license?.type ?? 'unknown'))
}

/** Returns whether an SPDX expression is allowed: any side of an OR, every side of an AND. @param {string} licenceExpression @returns {boolean} */
function isLicenceAllowed(licenceExpression) {
  const bareExpression = licenceExpression.replace(/^\((.*)\)$/, '$1')
  if (bareExpression.includes(' OR ')) return bareExpression.split(' OR ').some(isLicenceAllowed)
  return bareExpression.split(' AND ').every((licence) => allowedLicences.has(licence.replace(/[()]/g, '')))
}

/** @param {string} name @param {string} licence */
function findException(name, licence) {
  return licenceExceptions.find((each) => each.name.test(name) && each.licence.test(licence))
}

/** @param {string} filePath */
function readText(filePath) {
  try {
    return readFileSync(filePath, 'utf8')
  } catch {
    return undefined
  }
}

function formatPage() {
  const licenceRows = uniquePackages.map(({ name, licence }) => {
    const exception = findException(name, licence)
    return `| ${name} | ${licence}${exception === undefined ? '' : ` (${exception.reason})`} |`
  })
  return `# Licences

Varispeed itself is under the MIT licence (see \`LICENSE\`). These are the packages that run in production, on the server or
in the page, those for other platforms included. \`node scripts/licences.mjs\` writes this page; \`npm run check\` fails when it is
out of date or a licence is not one of ${[...allowedLicences].join(', ')}.

\`client/engine/lame/lame.wasm\`, which the page loads to export MP3 files, is LAME 3.100 (https://lame.sourceforge.io), under the GNU Library General
Public License, version 2 or later. The folder has the changes (\`lame.patch\`) and the program that compiles it (\`build.sh\`), so that anyone may replace it.

\`@mediabunny/aac-encoder\` is under MPL-2.0, and holds an AAC encoder of FFmpeg (libavcodec and libavutil, LGPL-2.1-or-later), compiled to WebAssembly
without parts under other licences; its README says from which sources and how. The page loads it as a file of its own (\`assets/aac-worker-….js\`), in which its code is
unmodified but for its module syntax. Whoever runs the site may replace the package by another build of the same interface and build the site again. FFmpeg's source is at
<https://ffmpeg.org>; whoever passes the built site on passes this note on with it. AAC may be subject to patents in some countries.

The two typefaces (Anybody, Martian Mono) are under the SIL Open Font License 1.1; the page serves subsets of them.

| package | licence |
|---|---|
${licenceRows.join('\n')}
`
}
