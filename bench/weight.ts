import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { collectRequestedScripts } from '../e2e/requested-scripts.ts'
import { startSite } from '../e2e/server.ts'
import { fetchApi } from '../e2e/steps.ts'
import {
  compressedBytes,
  pathOf,
  RADIO_MAX_BYTES,
  radioBytes,
  routeWeights,
  totalMaxBytes,
  type WeighedRoute,
  weighedRoutes,
} from './page-weight.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- weight` fails when a route is heavier than its ceiling; `npm test` runs it, too.
// With `--modules` it also measures the routes in Chromium and writes docs/weight.md.

const weights = routeWeights()
let isWithinLimits = true
for (const route of weighedRoutes) {
  const { totalBytes } = weights[route]
  isWithinLimits =
    reportFigure(`program of ${route} before the first interaction`, totalBytes / 1024, 'KiB', { atMost: totalMaxBytes(route) / 1024 }) &&
    isWithinLimits
}
isWithinLimits =
  reportFigure('program of the radio before the first interaction', radioBytes() / 1024, 'KiB', { atMost: RADIO_MAX_BYTES / 1024 }) &&
  isWithinLimits
if (process.argv.includes('--modules'))
  writeFileSync(fileURLToPath(new URL('../docs/weight.md', import.meta.url)), weightTable(await measureRequests()))
process.exitCode = isWithinLimits ? 0 : 1

/** Opens each route in a browser with an empty profile, and returns the bytes of the JavaScript that is requested until hydration. */
async function measureRequests(): Promise<Map<WeighedRoute, number>> {
  const site = await startSite()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    const [playlist] = await fetchApi(site, 'GET /playlist/all')
    if (!playlist) throw new Error('the demo catalogue has no playlist')
    const [song] = (await fetchApi(site, 'GET /playlist/get', { p: playlist.id })).songs
    const queries = { index: '', playlists: '', playlist: `?p=${playlist.id}`, search: '?q=a', song: `?s=${song?.youtube_id}` }
    const requestedBytes = new Map<WeighedRoute, number>()
    for (const route of weighedRoutes) {
      const context = await browser.newContext()
      const files = await collectRequestedScripts(await context.newPage(), `${site.origin()}${pathOf(route)}${queries[route]}`)
      requestedBytes.set(
        route,
        files.reduce((sum, file) => sum + compressedBytes(file), 0),
      )
      await context.close()
    }
    return requestedBytes
  } finally {
    await browser.close()
    await site.stop()
  }
}

function weightTable(requestedBytes: Map<WeighedRoute, number>): string {
  const formatKib = (bytes: number) => (bytes / 1024).toFixed(1)
  const tableRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const tableHead = (cells: readonly string[]) => [tableRow(cells), tableRow(cells.map(() => '---'))]
  const packages = new Map<string, number[]>()
  for (const [index, route] of weighedRoutes.entries())
    for (const [module, bytes] of weights[route].moduleBytes) {
      const name = packageOf(module)
      const row = packages.get(name) ?? weighedRoutes.map(() => 0)
      row[index] = (row[index] ?? 0) + bytes
      packages.set(name, row)
    }
  const byWeight = [...packages].sort(([, a], [, b]) => Math.max(...b) - Math.max(...a))
  return [
    '# Page weight',
    '',
    'Written by `npm run bench -- weight --modules`. KiB of program, compressed by brotli, that a route needs before the first interaction. The share of a',
    "module in its chunk is in proportion to the length of the module's code. The ceilings are in `bench/page-weight.ts`; `npm test` fails above them.",
    'The second row was measured: JavaScript that Chromium requests with an empty profile and no input until React has hydrated the page.',
    '`e2e/program.spec.ts` checks that these are the weighed files. A song page starts playback by itself, so the player counts there. On other pages',
    'the player is loaded at the first sign of intent, for a stored playback session, or when the page is idle.',
    '',
    ...tableHead(['', ...weighedRoutes]),
    tableRow(['**total**', ...weighedRoutes.map((route) => formatKib(weights[route].totalBytes))]),
    tableRow(['requested until hydration', ...weighedRoutes.map((route) => formatKib(requestedBytes.get(route) ?? 0))]),
    tableRow(['ceiling', ...weighedRoutes.map((route) => formatKib(totalMaxBytes(route)))]),
    '',
    '## By package and module',
    '',
    ...tableHead(['', ...weighedRoutes]),
    ...byWeight.filter(([, bytes]) => Math.max(...bytes) >= 100).map(([name, bytes]) => tableRow([`\`${name}\``, ...bytes.map(formatKib)])),
    '',
  ].join('\n')
}

/** Returns the package of a module in `node_modules`, or the module itself. */
function packageOf(module: string): string {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? module
}
