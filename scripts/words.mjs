import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { root } from './node-version.mjs'
import { sourceFiles } from './source-files.mjs'

// Prints every refused identifier and file name of the product's own code; exits with 1 if there is one.

/** Refused identifier → the term to use instead. `docs/glossary.md` defines the terms. */
export const refusedNames = new Map([
  ['Key', 'Button'],
  ['FavoriteKeys', 'FavoritesProvider'],
  ['SignOutKeys', 'SignOutProvider'],
  ['createPart', 'lazyWithRetry'],
  ['LATER', 'on-demand-precache'],
  ['CatalogueStore', 'LocalDatabase'],
  ['Writes', 'OfflineMutations'],
  ['useWrites', 'useOfflineMutations'],
  ['inNameOf', 'withAuth'],
  ['observed', 'withConnectionTracking'],
  ['Keeper', 'OfflinePlaylists'],
  ['Keeping', 'Download'],
  ['kept', 'pinned'],
  ['Spared', 'CacheInventory'],
  ['Holdings', 'CacheInventory'],
  ['isSound', 'isValidRow'],
  ['mendKept', 'repairPinned'],
  ['heard', 'monitor, playbackConfirmed'],
  ['saidAtMs', 'clampClientTime'],
  ['NOBODY', 'ANONYMOUS'],
  ['nobody', 'anonymous'],
  ['Tap', 'FavoriteChange'],
  ['Standing', 'FavoriteState'],
  ['wish', 'pendingFavorite'],
  ['useGoOn', 'useAuthNavigate'],
  ['useAskToLogIn', 'useRequireLogin'],
  ['goOnWhenBack', 'resumeOnReconnect'],
  ['bringing', 'pendingLoad'],
  ['turn', 'requestId'],
  ['failing', 'mapErrors'],
  ['whole', 'requireCode'],
  ['begin', 'initAuth'],
  ['inTurn', 'withTabLock'],
])
const refusedFileName = /(?:^|\/)(later-parts|first-data)(?=[-./]|$)/

/** The uses of refused names that are allowed, as `file: name`. `whole` is a field of the API's sync response. @type {ReadonlySet<string>} */
const allowedNames = new Set([
  'client/app/testing/favorites-page.tsx: whole',
  'client/data/favorite-sync.ts: whole',
  'client/data/favorites.browser.test.ts: whole',
  'contract/favorite.ts: whole',
  'e2e/identity/emulator-peer.ts: whole',
  'e2e/pictures/shots-favorites.ts: whole',
  'server/routes/favorites.test.ts: whole',
  'server/storage/bounds.test.ts: whole',
  'server/storage/favorites-store.test.ts: whole',
  'server/storage/favorites-store.ts: whole',
  'server/storage/testing/favorite-devices.ts: whole',
])
/**
 * @typedef {{ line: number, name: string }} Finding
 *
 * Finds identifiers by the syntax tree, so that texts, comments and JSX text do not count.
 * @param {string} file a name with the extension of its language @param {string} text @param {ReadonlyMap<string, string>} [names]
 * @returns {Finding[]}
 */
export function findRefusedNames(file, text, names = refusedNames) {
  const { program, errors } = parseSync(file, text, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  /** @type {Map<number, string>} By offset: a shorthand property is two nodes at one place. */
  const namesByOffset = new Map()
  visitNodes(program, (node) => {
    if (/^(JSX|Private)?Identifier$/.test(node.type) && names.has(node.name)) namesByOffset.set(node.start, node.name)
  })
  return [...namesByOffset].map(([offset, name]) => ({ line: text.slice(0, offset).split('\n').length, name }))
}

/** @param {any} node @param {(node: any) => void} visitNode */
export function visitNodes(node, visitNode) {
  if (Array.isArray(node)) for (const child of node) visitNodes(child, visitNode)
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visitNode(node)
    for (const child of Object.values(node)) if (typeof child === 'object') visitNodes(child, visitNode)
  }
}

/** @param {string} file */
export const findRefusedFileName = (file) => refusedFileName.exec(file)?.[1]

function main() {
  const files = sourceFiles()
  const programFiles = files.filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\.gen\.ts$/.test(file))
  /** @type {string[]} */
  const breaches = []
  for (const file of files) {
    const name = findRefusedFileName(file)
    if (name !== undefined) breaches.push(`${file}: ${name} is a refused file name`)
  }
  for (const file of programFiles) {
    for (const { line, name } of findRefusedNames(file, readFileSync(join(root, file), 'utf8'))) {
      if (!allowedNames.has(`${file}: ${name}`)) breaches.push(`${file}:${line}: ${name}: use ${refusedNames.get(name)}`)
    }
  }
  for (const breach of breaches) process.stdout.write(`${breach}\n`)
  process.stdout.write(`${programFiles.length} files, ${breaches.length} refused names\n`)
  process.exitCode = breaches.length === 0 && programFiles.length > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
