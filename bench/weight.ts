import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { collectRequestedScripts } from '../e2e/requested-scripts.ts'
import { startSite } from '../e2e/server.ts'
import { fetchApi } from '../e2e/steps.ts'
import {
  measureCompressedBytes,
  measureRadioBytes,
  measureRouteWeights,
  RADIO_MAX_BYTES,
  sumMaxBytes,
  toPagePath,
  type WeighedRoute,
  weighedRoutes,
} from './page-weight.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- weight` fails when a route is heavier than its ceiling; `npm test` runs it, too.
// With `--modules` it also measures the routes in Chromium and writes docs/weight.md.

const weights = measureRouteWeights()
let areWeightsWithinLimits = true
for (const route of weighedRoutes) {
  const { totalBytes } = weights[route]
  areWeightsWithinLimits =
    reportFigure(`program of ${route} before the first interaction`, totalBytes / 1024, 'KiB', { atMost: sumMaxBytes(route) / 1024 }) &&
    areWeightsWithinLimits
}
areWeightsWithinLimits =
  reportFigure('program of the radio before the first interaction', measureRadioBytes() / 1024, 'KiB', {
    atMost: RADIO_MAX_BYTES / 1024,
  }) && areWeightsWithinLimits
if (process.argv.includes('--modules'))
  writeFileSync(fileURLToPath(new URL('../docs/weight.md', import.meta.url)), formatWeightTable(await measureRequests()))
process.exitCode = areWeightsWithinLimits ? 0 : 1

/** Opens each route in a browser with an empty profile, and returns the bytes of the JavaScript that is requested until hydration. */
async function measureRequests(): Promise<Map<WeighedRoute, number>> {
  const site = await startSite()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    const [playlist] = await fetchApi(site, 'GET /playlist/all')
    if (!playlist) throw new Error('the demo catalogue has no playlist')
    const [song] = (await fetchApi(site, 'GET /playlist/get', { p: playlist.id })).songs
    const queryByRoute = { index: '', playlists: '', playlist: `?p=${playlist.id}`, search: '?q=a', song: `?s=${song?.youtube_id}` }
    const bytesByRoute = new Map<WeighedRoute, number>()
    for (const route of weighedRoutes) {
      const context = await browser.newContext()
      const scriptFiles = await collectRequestedScripts(
        await context.newPage(),
        `${site.origin()}${toPagePath(route)}${queryByRoute[route]}`,
      )
      bytesByRoute.set(
        route,
        scriptFiles.reduce((sum, file) => sum + measureCompressedBytes(file), 0),
      )
      await context.close()
    }
    return bytesByRoute
  } finally {
    await browser.close()
    await site.stop()
  }
}

function formatWeightTable(bytesByRoute: Map<WeighedRoute, number>): string {
  const formatKib = (bytes: number) => (bytes / 1024).toFixed(1)
  const formatTableRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const formatTableHead = (cells: readonly string[]) => [formatTableRow(cells), formatTableRow(cells.map(() => '---'))]
  const moduleBytesByPackage = new Map<string, number[]>()
  for (const [index, route] of weighedRoutes.entries())
    for (const [modulePath, moduleBytes] of weights[route].moduleBytes) {
      const packageName = findPackageName(modulePath)
      const row = moduleBytesByPackage.get(packageName) ?? weighedRoutes.map(() => 0)
      row[index] = (row[index] ?? 0) + moduleBytes
      moduleBytesByPackage.set(packageName, row)
    }
  const packagesByWeight = [...moduleBytesByPackage].sort(([, a], [, b]) => Math.max(...b) - Math.max(...a))
  return [
    '# Page weight',
    '',
    'Written by `npm run bench -- weight --modules`. KiB of program, compressed by brotli, that a route needs before the first interaction. The share of a',
    "module in its chunk is in proportion to the length of the module's code. The ceilings are in `bench/page-weight.ts`; `npm test` fails above them.",
    'The second row was measured: JavaScript that Chromium requests with an empty profile and no input until React has hydrated the page.',
    '`e2e/program.spec.ts` checks that these are the weighed files. A song page starts playback by itself, so the player counts there. On other pages',
    'the player is loaded at the first sign of intent, for a stored playback session, or when the page is idle.',
    '',
    ...formatTableHead(['', ...weighedRoutes]),
    formatTableRow(['**total**', ...weighedRoutes.map((route) => formatKib(weights[route].totalBytes))]),
    formatTableRow(['requested until hydration', ...weighedRoutes.map((route) => formatKib(bytesByRoute.get(route) ?? 0))]),
    formatTableRow(['ceiling', ...weighedRoutes.map((route) => formatKib(sumMaxBytes(route)))]),
    '',
    '## By package and module',
    '',
    ...formatTableHead(['', ...weighedRoutes]),
    ...packagesByWeight
      .filter(([, bytes]) => Math.max(...bytes) >= 100)
      .map(([name, bytes]) => formatTableRow([`\`${name}\``, ...bytes.map(formatKib)])),
    '',
  ].join('\n')
}

/** Returns the package of a module in `node_modules`, or the module itself. */
function findPackageName(module: string): string {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? module
}
