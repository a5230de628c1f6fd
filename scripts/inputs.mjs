import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-version.mjs'

/** @typedef {'kernel' | 'client' | 'server'} BuildTarget */

/** The input files of each build target, and a file that the build must write. */
const buildTargets = {
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
      'scripts/module-sizes.ts',
      'scripts/on-demand-precache.ts',
      'scripts/program-pack.ts',
      'scripts/route-files.ts',
      'scripts/start-chunks.ts',
    ],
    output: 'dist/client/index.html',
  },
  server: {
    inputs: ['server', 'contract', 'brands', 'dsp', 'package-lock.json', 'scripts/bundle-server.mjs'],
    output: 'dist/server/main.js',
  },
}
/** Matches files that no build reads, or that a build writes. */
const ignoredPaths = /\.test\.tsx?$|\.gen\.ts$|\.md$|(^|\/)\./
const stampPath = join(root, 'dist/inputs.json')

/** Returns whether a build target was built from the current input files. @param {BuildTarget} buildTarget */
export function isFresh(buildTarget) {
  return existsSync(join(root, buildTargets[buildTarget].output)) && readStamps()[buildTarget] === hashInputs(buildTarget)
}

/** Stores the hash of the input files from which a target was built. @param {BuildTarget} buildTarget @param {string} inputsHash */
export function storeStamp(buildTarget, inputsHash) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampPath, JSON.stringify({ ...readStamps(), [buildTarget]: inputsHash }))
}

/** Hashes the names and contents of a build's input files; modification times do not count. @param {BuildTarget} buildTarget */
export function hashInputs(buildTarget) {
  const hash = createHash('sha256')
  for (const inputPath of buildTargets[buildTarget].inputs) {
    for (const filePath of listFilesBelow(inputPath))
      hash
        .update(`${filePath}\0`)
        .update(readFileSync(join(root, filePath)))
        .update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} filePath @returns {string[]} */
function listFilesBelow(filePath) {
  if (!existsSync(join(root, filePath))) return []
  let fileEntries
  try {
    fileEntries = readdirSync(join(root, filePath), { withFileTypes: true })
  } catch {
    return [filePath]
  }
  return fileEntries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((fileEntry) => {
      const pathBelow = `${filePath}/${fileEntry.name}`
      if (ignoredPaths.test(pathBelow)) return []
      return fileEntry.isDirectory() ? listFilesBelow(pathBelow) : [pathBelow]
    })
}

/** @returns {Partial<Record<BuildTarget, string>>} */
function readStamps() {
  try {
    return JSON.parse(readFileSync(stampPath, 'utf8'))
  } catch {
    return {}
  }
}
