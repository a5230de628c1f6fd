import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-version.mjs'

// Writes docs/licences.md from the licences of the packages that run in production; with --check it only compares.
const allowed = new Set([
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
/** A licence outside the list that one package may have, and why. */
const exceptions = [
  {
    name: /^@img\/sharp-(libvips-|win32-|wasm32)/,
    licence: /LGPL-3\.0-or-later/,
    reason: 'libvips, a shared library that `sharp` loads and anyone may replace; unmodified, with its own licence texts',
  },
]
const page = 'docs/licences.md'

/** @type {Record<string, { dev?: boolean, devOptional?: boolean, license?: string, version?: string }>} */
const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const packages = Object.entries(locked)
  .filter(([path, entry]) => path !== '' && entry.dev !== true && entry.devOptional !== true)
  .map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    licence: licenceOf(path, entry),
  }))
const unique = [...new Map(packages.map((each) => [`${each.name} ${each.licence}`, each])).values()].sort((a, b) =>
  a.name < b.name ? -1 : 1,
)

let failed = false
for (const { name, licence } of unique) {
  if (isAllowed(licence) || exceptionOf(name, licence) !== undefined) continue
  process.stdout.write(`${name}: ${licence} is not an allowed licence\n`)
  failed = true
}
if (unique.length === 0) {
  process.stdout.write('package-lock.json names no production package\n')
  failed = true
}

const text = pageText()
if (!process.argv.includes('--check')) writeFileSync(join(root, page), text)
else if (readText(join(root, page)) !== text) {
  process.stdout.write(`${page} is out of date: node scripts/licences.mjs\n`)
  failed = true
}
process.stdout.write(`${unique.length} packages\n`)
process.exitCode = failed ? 1 : 0

/** What the lock file says, else what the installed package says of itself. @param {string} path @param {{ license?: string }} entry */
function licenceOf(path, entry) {
  if (entry.license !== undefined) return entry.license
  const text = readText(join(root, path, 'package.json'))
  const said = text === undefined ? undefined : JSON.parse(text).license
  return String(typeof said === 'string' ? said : (said?.type ?? 'unknown'))
}

/** An SPDX expression: any side of an OR, every side of an AND. @param {string} expression @returns {boolean} */
function isAllowed(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1')
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isAllowed)
  return bare.split(' AND ').every((licence) => allowed.has(licence.replace(/[()]/g, '')))
}

/** @param {string} name @param {string} licence */
function exceptionOf(name, licence) {
  return exceptions.find((each) => each.name.test(name) && each.licence.test(licence))
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function pageText() {
  const rows = unique.map(({ name, licence }) => {
    const exception = exceptionOf(name, licence)
    return `| ${name} | ${licence}${exception === undefined ? '' : ` (${exception.reason})`} |`
  })
  return `# Licences

Varispeed itself is under the MIT licence (see \`LICENSE\`). These are the packages that run in production, on the server or
in the page, those for other platforms included. \`node scripts/licences.mjs\` writes this page; \`npm run check\` fails when it is
out of date or a licence is not one of ${[...allowed].join(', ')}.

The two typefaces (Anybody, Martian Mono) are under the SIL Open Font License 1.1; the page serves subsets of them.

| package | licence |
|---|---|
${rows.join('\n')}
`
}
