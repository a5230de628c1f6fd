import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brandOfHost } from '../../brands/registry.ts'
import { type EndpointKey, endpoints } from '../../contract/endpoints.ts'
import { ATOM_PATH } from '../../contract/news.ts'
import { pagePaths } from '../../contract/pages.ts'
import { CPU_MAX_MS } from '../../server/testing/fuzz/world.ts'
import { mainThreadCpuMs } from '../../server/testing/main-thread-cpu.ts'
import type { Site } from '../server.ts'
import {
  memberId,
  playlistId,
  publishChanges,
  punctuationGroups,
  rowIndexes,
  setRowTexts,
  setSiteTexts,
  songId,
  startPunctuatedSite,
  supporterName,
  WEBSITE_DOMAIN_NAME,
} from './punctuated-site.ts'

/** The prefix of a host of the other brand. */
const OTHER_BRAND = 'slowedreverb.'

/** The query strings of the endpoints that require one. */
const endpointQueries: Partial<Record<EndpointKey, string>> = {
  'GET /song/search': '?s=song',
  'GET /search/suggest': '?s=song',
  'GET /search/similar': '?s=sonng',
  ...Object.fromEntries(['GET /song/get', 'GET /song/related', 'GET /favorite/get'].map((key) => [key, `?s=${songId(0)}`])),
  'GET /playlist/get': `?p=${playlistId(0)}`,
  'GET /radio/get': '?newcomers_id=1',
  'GET /subscriber/getinfo': `?domain_name=${WEBSITE_DOMAIN_NAME}`,
  'GET /host': '?domain=localhost',
}
const endpointPaths = (Object.keys(endpoints) as EndpointKey[])
  // No conversion job exists whose status could be requested.
  .filter((key) => key.startsWith('GET ') && key !== 'GET /make/status')
  .map((key) => `/api${key.slice('GET '.length)}${endpointQueries[key] ?? ''}`)
const rowPaths = rowIndexes.flatMap((index) => [
  `/song?s=${songId(index)}&p=${playlistId(index)}`,
  `/playlist?p=${playlistId(index)}`,
  `/playlist?p=category-${index}`,
  `/api/song/get?s=${songId(index)}&p=${playlistId(index)}`,
  `/api/playlist/get?p=${playlistId(index)}`,
  `/api/subscriber/getinfo?domain_name=${supporterName(index)}`,
  `/img/song/${songId(index)}/320`,
  `/img/playlist/${playlistId(index)}/320`,
  `/img/member/${memberId(index)}/160`,
  `/img/supporter/${supporterName(index)}/160`,
  `/img/og/song/${songId(index)}.jpg`,
  `/img/og/playlist/${playlistId(index)}.jpg`,
  `/img/og/website/${supporterName(index)}.jpg`,
])
const files = [
  ...['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/songs-1.xml', '/sitemaps/playlists-1.xml', ATOM_PATH],
  ...['/manifest.webmanifest', '/robots.txt', '/shell', '/img/og/site.jpg'],
]
const missingPaths = ['/no-such-page', '/nothing']
const searches = ['/search?q=song', '/search?q=a&type=artist']
const mainPaths = [
  ...pagePaths.filter((path) => path !== '/song' && path !== '/playlist'),
  ...searches,
  ...endpointPaths,
  ...files,
  '/no-such-page',
]
const whatIsPathOf = (host: string) => brandOfHost(host).settings.WHAT_IS_PATH

/** Returns the requests for paths that are grouped by the prefix of their host. */
const requestsOf = (hostPaths: Record<string, readonly string[]>) =>
  Object.entries(hostPaths).flatMap(([prefix, paths]) => paths.map((path) => ({ prefix, path })))
const requestsForRows = requestsOf({ '': rowPaths, ...Object.fromEntries(rowIndexes.map((index) => [`${supporterName(index)}.`, ['/']])) })
const otherRequests = requestsOf({
  '': [...mainPaths, whatIsPathOf('')],
  [OTHER_BRAND]: ['/', whatIsPathOf(OTHER_BRAND), '/api/site'],
  'fm.': ['/', '/api/site', '/manifest.webmanifest', '/img/og/site.jpg'],
  [`${WEBSITE_DOMAIN_NAME}.`]: ['/', '/nothing', `/img/og/website/${WEBSITE_DOMAIN_NAME}.jpg`],
})

let site: Site
let idToken: string

const get = (host: string, path: string) =>
  new Promise<{ status: number; cpuMs: number }>((resolve, reject) => {
    const startMs = mainThreadCpuMs(site.pid)
    const headers = { host, authorization: `Bearer ${idToken}` }
    request({ host: '127.0.0.1', port: site.port, path, headers, agent: false }, (response) => {
      text(response).then(() => resolve({ status: response.statusCode ?? 0, cpuMs: mainThreadCpuMs(site.pid) - startMs }), reject)
    })
      .on('error', reject)
      .end()
  })

let slowest = { cpuMs: 0, url: '' }
/** Sends requests. Returns those that failed, and those that took too much of the server's processor time at each attempt. */
async function slowRequests(units: string, requests: typeof otherRequests): Promise<string[]> {
  const problems: string[] = []
  for (const { prefix, path } of requests) {
    let { status, cpuMs } = await get(`${prefix}localhost`, path)
    // A slow request is repeated, because the compiler or the garbage collector may have run during it. A slow request for a picture is not
    // repeated, because the second one would be answered from the disk.
    for (let repeats = 2; repeats > 0 && cpuMs > CPU_MAX_MS && !path.startsWith('/img/'); repeats--) {
      await publishChanges(site)
      cpuMs = Math.min(cpuMs, (await get(`${prefix}localhost`, path)).cpuMs)
    }
    if (cpuMs > slowest.cpuMs) slowest = { cpuMs, url: `${units} ${prefix}${path}` }
    const isExpected = status === (missingPaths.includes(path) ? 404 : 200)
    if (!isExpected || cpuMs > CPU_MAX_MS) problems.push(`${units} ${prefix}${path}: status ${status}, ${Math.round(cpuMs)} ms`)
  }
  return problems
}

beforeAll(async () => {
  ;({ site, idToken } = await startPunctuatedSite())
  // The first requests are slower, because the server still compiles its code.
  for (let round = 1; round <= 3; round++) {
    await publishChanges(site)
    for (const { prefix, path } of [...requestsForRows, ...otherRequests]) await get(`${prefix}localhost`, path)
  }
})
afterAll(() => site.stop())

it.each(punctuationGroups.map((units) => [units.join('  '), units] as const))(
  'texts of 20,000 characters that repeat %s: no request takes much processor time of the server',
  async (name, units) => {
    slowest = { cpuMs: 0, url: '' }
    await setRowTexts(site, units)
    const problems = await slowRequests(name, requestsForRows)
    for (const unit of units) {
      await setSiteTexts(site, idToken, unit)
      problems.push(...(await slowRequests(unit, otherRequests)))
    }
    console.info(JSON.stringify(slowest))
    expect(problems).toEqual([])
  },
)
