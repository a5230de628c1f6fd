import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { PLAYING_PAGE } from '../contract/page-rows.ts'
import type { PagePath } from '../contract/pages.ts'
import { readBuildManifest } from '../server/pages/chunks.ts'

const clientDir = fileURLToPath(new URL('../dist/client/', import.meta.url))

/** The routes whose JavaScript is weighed, by their file names in `client/routes`. */
export const weighedRoutes = ['index', 'playlists', 'playlist', 'search', 'song'] as const
export type WeighedRoute = (typeof weighedRoutes)[number]
export const pathOf = (route: WeighedRoute): PagePath => (route === 'index' ? '/' : `/${route}`)

const KIB = 1024
/** The maximum bytes of JavaScript that a route may load before the first interaction, compressed by brotli. The goal is 112 KiB. */
const TOTAL_MAX_BYTES = 118 * KIB
/**
 * The maximum bytes of JavaScript, compressed by brotli, of a route that starts playback and therefore also loads the player. The goal is 118 KiB.
 */
const TOTAL_WITH_PLAYER_MAX_BYTES = 128.5 * KIB
export function totalMaxBytes(route: WeighedRoute): number {
  return pathOf(route) === PLAYING_PAGE ? TOTAL_WITH_PLAYER_MAX_BYTES : TOTAL_MAX_BYTES
}

/**
 * Groups of source modules, with the maximum bytes that each may add to a route. A module belongs to the first group that matches its path.
 */
export const moduleGroups: readonly { name: string; pathPattern: RegExp; maxBytes: number }[] = [
  { name: 'React', pathPattern: /^node_modules\/(?:react|react-dom|scheduler)\//, maxBytes: 57.4 * KIB },
  { name: 'router', pathPattern: /^node_modules\//, maxBytes: 25.6 * KIB },
  { name: 'player', pathPattern: /^client\/(?:player|features\/player)\//, maxBytes: 13.2 * KIB },
  { name: 'data', pathPattern: /^client\/data\//, maxBytes: 5.9 * KIB },
  { name: 'platform and contract', pathPattern: /^(?:client\/(?:platform|primitives)|contract)\//, maxBytes: 4.6 * KIB },
  { name: 'components and pages', pathPattern: /./, maxBytes: 24.5 * KIB },
]
export const groupOf = (module: string): string => moduleGroups.find(({ pathPattern: test }) => test.test(module))?.name ?? ''

export interface RouteWeight {
  totalBytes: number
  /**
   * Divides a chunk's compressed bytes among its modules, in proportion to the length of their code. The result is each module's share of
   * `totalBytes`.
   */
  moduleBytes: Map<string, number>
}

/** Returns the JavaScript files that a page starts with, relative to the client's folder, as the server lists them in the HTML. */
function startFiles(path: string): string[] {
  const { modules } = readBuildManifest(clientDir).assetsOfPath(path)
  if (modules.length === 0) throw new Error('the client is not built: run `npm run build`')
  return modules.map((url) => url.slice(1))
}

/** Returns the bytes of a file of the build, compressed by brotli. */
export const compressedBytes = (file: string): number => brotliCompressSync(readFileSync(join(clientDir, file))).length

/**
 * Measures the compressed JavaScript that each route starts with: the entry, the route, the player if the route starts playback, and all chunks that these import.
 * Not included: chunks that are loaded when the page is idle (the database, the service worker's registration, the player of other routes) or
 * after an interaction. `e2e/program.spec.ts` compares the files that the HTML lists with the requests of a browser.
 */
export function routeWeights(): Record<WeighedRoute, RouteWeight> {
  const modulesOf: Record<string, Record<string, number>> = JSON.parse(readFileSync(join(clientDir, '.vite/modules.json'), 'utf8'))

  function weighRoute(route: WeighedRoute): RouteWeight {
    const moduleBytes = new Map<string, number>()
    let totalBytes = 0
    for (const file of startFiles(pathOf(route))) {
      const bytes = compressedBytes(file)
      totalBytes += bytes
      const lengths = Object.entries(modulesOf[file] ?? {})
      const length = lengths.reduce((sum, [, each]) => sum + each, 0)
      for (const [name, moduleLength] of lengths)
        if (length > 0) moduleBytes.set(name, (moduleBytes.get(name) ?? 0) + (bytes * moduleLength) / length)
    }
    return { totalBytes, moduleBytes }
  }
  return Object.fromEntries(weighedRoutes.map((route) => [route, weighRoute(route)])) as Record<WeighedRoute, RouteWeight>
}

/** The maximum bytes of JavaScript that the page of a radio host may load before the first interaction, compressed by brotli. */
export const RADIO_MAX_BYTES = 131 * KIB

/** Measures the compressed JavaScript that the page of a radio host starts with, its player included. */
export const radioBytes = (): number =>
  readBuildManifest(clientDir)
    .assetsOfHost('radio')
    .modules.reduce((sum, url) => sum + compressedBytes(url.slice(1)), 0)

/** Returns the bytes of each module group in a route. */
export function groupWeights({ moduleBytes: modules }: RouteWeight): Map<string, number> {
  const groupBytes = new Map(moduleGroups.map(({ name }) => [name, 0]))
  for (const [module, bytes] of modules) groupBytes.set(groupOf(module), (groupBytes.get(groupOf(module)) ?? 0) + bytes)
  return groupBytes
}
