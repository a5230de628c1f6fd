import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { AUTOPLAY_PAGE } from '../contract/page-properties.ts'
import type { PagePath } from '../contract/pages.ts'
import { readBuildManifest } from '../server/pages/chunks.ts'

const clientDir = fileURLToPath(new URL('../dist/client/', import.meta.url))

/** The routes whose JavaScript is weighed, by their file names in `client/routes`. */
export const weighedRoutes = ['index', 'playlists', 'playlist', 'search', 'song'] as const
export type WeighedRoute = (typeof weighedRoutes)[number]
export const toPagePath = (route: WeighedRoute): PagePath => (route === 'index' ? '/' : `/${route}`)

const BYTES_PER_KIB = 1024
/** How far a weight may be above its goal before `npm test` fails, so that no code has to be complicated to save a tenth of a KiB. */
const WEIGHT_SLACK_FACTOR = 1.03
const ROUTE_GOAL_BYTES = 118 * BYTES_PER_KIB
/** The goal of the routes that start playback, and of the page of a radio host. All of them load the player, too. */
const PLAYING_ROUTE_GOAL_BYTES = 128 * BYTES_PER_KIB

/** The maximum bytes of JavaScript that a route may load before the first interaction, compressed by brotli. */
export const sumMaxBytes = (route: WeighedRoute): number =>
  WEIGHT_SLACK_FACTOR * (toPagePath(route) === AUTOPLAY_PAGE ? PLAYING_ROUTE_GOAL_BYTES : ROUTE_GOAL_BYTES)

/** The maximum bytes of JavaScript that the page of a radio host may load before the first interaction, compressed by brotli. */
export const RADIO_MAX_BYTES = WEIGHT_SLACK_FACTOR * PLAYING_ROUTE_GOAL_BYTES

export interface RouteWeight {
  totalBytes: number
  /**
   * The bytes of each module, by its path: a chunk's compressed bytes are divided among its modules in proportion to the length of their code.
   * The sum of the values is
   * `totalBytes`.
   */
  moduleBytes: Map<string, number>
}

/** Returns the JavaScript files that a page starts with, relative to the client's folder, as the server lists them in the HTML. */
function listStartFiles(routePath: string): string[] {
  const { modules } = readBuildManifest(clientDir).assetsOfPath(routePath)
  if (modules.length === 0) throw new Error('the client is not built: run `npm run build`')
  return modules.map((url) => url.slice(1))
}

/** The results of `measureCompressedBytes`, because the routes share most of their files. */
const bytesByFile = new Map<string, number>()

/** Returns the bytes of a file of the build, compressed by brotli. */
export function measureCompressedBytes(scriptPath: string): number {
  const bytes = bytesByFile.get(scriptPath) ?? brotliCompressSync(readFileSync(join(clientDir, scriptPath))).length
  bytesByFile.set(scriptPath, bytes)
  return bytes
}

/**
 * Measures the compressed JavaScript that each route starts with: the entry, the route, the player if the route starts playback, and all chunks that these import.
 * Not included: chunks that are loaded when the page is idle (the database, the service worker's registration, the player of other routes) or
 * after an interaction. `e2e/program.spec.ts` compares the files that the HTML lists with the requests of a browser.
 */
export function measureRouteWeights(): Record<WeighedRoute, RouteWeight> {
  const moduleBytesByFile: Record<string, Record<string, number>> = JSON.parse(readFileSync(join(clientDir, '.vite/modules.json'), 'utf8'))

  function weighRoute(route: WeighedRoute): RouteWeight {
    const bytesByModule = new Map<string, number>()
    let totalBytes = 0
    for (const startFile of listStartFiles(toPagePath(route))) {
      const bytes = measureCompressedBytes(startFile)
      totalBytes += bytes
      const moduleLengthEntries = Object.entries(moduleBytesByFile[startFile] ?? {})
      const length = moduleLengthEntries.reduce((sum, [, each]) => sum + each, 0)
      for (const [name, moduleLength] of moduleLengthEntries)
        if (length > 0) bytesByModule.set(name, (bytesByModule.get(name) ?? 0) + (bytes * moduleLength) / length)
    }
    return { totalBytes, moduleBytes: bytesByModule }
  }
  return Object.fromEntries(weighedRoutes.map((route) => [route, weighRoute(route)])) as Record<WeighedRoute, RouteWeight>
}

/** Measures the compressed JavaScript that the page of a radio host starts with, its player included. */
export const measureRadioBytes = (): number =>
  readBuildManifest(clientDir)
    .assetsOfHost('radio')
    .modules.reduce((sum, url) => sum + measureCompressedBytes(url.slice(1)), 0)
