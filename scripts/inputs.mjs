import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-version.mjs'

/** @typedef {'kernel' | 'client' | 'server'} Part */

/** What each part is built from, and a file that it must have written. */
const parts = {
  kernel: {
    inputs: ['dsp/assembly', 'package-lock.json', 'scripts/compile-kernel.mjs'],
    output: 'dist/dsp/kernel.wasm',
  },
  client: {
    inputs: [
      'client',
      'sw',
      'contract',
      'brands',
      'dsp',
      'public',
      'package-lock.json',
      'vite.config.ts',
      'scripts/compile-kernel.mjs',
      'scripts/compress.ts',
      'scripts/keep-builds.mjs',
    ],
    output: 'dist/client/index.html',
  },
  server: {
    inputs: ['server', 'contract', 'brands', 'dsp', 'package-lock.json', 'scripts/bundle-server.mjs'],
    output: 'dist/server/main.js',
  },
}
/** Files that no build reads, or that a build writes. */
const ignored = /\.test\.tsx?$|\.gen\.ts$|\.md$|(^|\/)\./
const stampPath = join(root, 'dist/inputs.json')

/** Whether `part` was built from the inputs as they are now. @param {Part} part */
export function isFresh(part) {
  return existsSync(join(root, parts[part].output)) && readStamps()[part] === hashOf(part)
}

/** Remembers that `part` was built from inputs with this hash. @param {Part} part @param {string} hash */
export function stamp(part, hash) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampPath, JSON.stringify({ ...readStamps(), [part]: hash }))
}

/** A hash of names and contents: a checkout that only changes times builds nothing. @param {Part} part */
export function hashOf(part) {
  const hash = createHash('sha256')
  for (const input of parts[part].inputs) {
    for (const path of filesBelow(input))
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  if (!existsSync(join(root, path))) return []
  let entries
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true })
  } catch {
    return [path]
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const below = `${path}/${entry.name}`
      if (ignored.test(below)) return []
      return entry.isDirectory() ? filesBelow(below) : [below]
    })
}

/** @returns {Partial<Record<Part, string>>} */
function readStamps() {
  try {
    return JSON.parse(readFileSync(stampPath, 'utf8'))
  } catch {
    return {}
  }
}
