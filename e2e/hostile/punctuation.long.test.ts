import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brandOfHost } from '../../brands/registry.ts'
import { type EndpointInput, type EndpointKey, endpoints } from '../../contract/endpoints.ts'
import { ATOM_PATH } from '../../contract/news.ts'
import { hasLoadedHeading, type PageWithLoadedHeading } from '../../contract/page-properties.ts'
import { pagePaths } from '../../contract/pages.ts'
import { CPU_MAX_MS } from '../../server/testing/fuzz/world.ts'
import { mainThreadCpuMs } from '../../server/testing/main-thread-cpu.ts'
import {
  memberId,
  type PunctuatedSite,
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

type ReadingEndpointKey = Extract<EndpointKey, `GET ${string}`>
type EndpointKeyWithQuery = {
  [K in ReadingEndpointKey]: Record<never, never> extends EndpointInput<K> ? never : K
}[ReadingEndpointKey]
/** No conversion job exists whose status could be requested. */
const OMITTED_ENDPOINT = 'GET /make/status'

/** Returns the query strings of the endpoints that require one, and of others that read more with one. */
const listEndpointQueries = (shareToken: string) =>
  ({
    'GET /song/search': '?s=song',
    'GET /search/suggest': '?s=song',
    'GET /search/similar': '?s=sonng',
    'GET /song/get': `?s=${songId(0)}`,
    'GET /song/related': `?s=${songId(0)}`,
    'GET /favorite/get': `?s=${songId(0)}`,
    'GET /playlist/get': `?p=${playlistId(0)}`,
    'GET /list/get': `?l=${shareToken}`,
    'GET /radio/get': '?newcomers_id=1',
    'GET /subscriber/getinfo': `?domain_name=${WEBSITE_DOMAIN_NAME}`,
    'GET /host': '?domain=localhost',
  }) satisfies Partial<Record<EndpointKey, string>> & Record<Exclude<EndpointKeyWithQuery, typeof OMITTED_ENDPOINT>, string>
function listEndpointPaths(shareToken: string): string[] {
  const queries: Partial<Record<string, string>> = listEndpointQueries(shareToken)
  return Object.keys(endpoints)
    .filter((key) => key.startsWith('GET ') && key !== OMITTED_ENDPOINT)
    .map((key) => `/api${key.slice('GET '.length)}${queries[key] ?? ''}`)
}

/** Returns the query strings of the pages whose heading is a row's. Without a query, they are not found. */
const listRowPageQueries = (index: number, shareToken: string): Record<Exclude<PageWithLoadedHeading, '/' | '/search'>, string> => ({
  '/song': `?s=${songId(index)}&p=${playlistId(index)}`,
  '/playlist': `?p=${playlistId(index)}`,
  '/list': `?l=${shareToken}`,
})
const listRowPaths = (index: number, shareToken: string) => [
  ...Object.entries(listRowPageQueries(index, shareToken)).map(([path, query]) => path + query),
  `/playlist?p=category-${index}`,
  `/api/song/get?s=${songId(index)}&p=${playlistId(index)}`,
  `/api/playlist/get?p=${playlistId(index)}`,
  `/api/list/get?l=${shareToken}`,
  `/api/subscriber/getinfo?domain_name=${supporterName(index)}`,
  `/img/song/${songId(index)}/320`,
  `/img/playlist/${playlistId(index)}/320`,
  `/img/member/${memberId(index)}/160`,
  `/img/supporter/${supporterName(index)}/160`,
  `/img/og/song/${songId(index)}.jpg`,
  `/img/og/playlist/${playlistId(index)}.jpg`,
  `/img/og/website/${supporterName(index)}.jpg`,
]
const files = [
  ...['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/songs-1.xml', '/sitemaps/playlists-1.xml', ATOM_PATH],
  ...['/manifest.webmanifest', '/robots.txt', '/shell', '/img/og/site.jpg'],
]
const missingPaths = ['/no-such-page', '/nothing']
const searches = ['/search?q=song', '/search?q=a&type=artist']
const pathsWithoutRows = [
  ...pagePaths.filter((path) => !hasLoadedHeading(path) || path === '/' || path === '/search'),
  ...searches,
  ...files,
  '/no-such-page',
]
const whatIsPathOf = (host: string) => brandOfHost(host).settings.WHAT_IS_PATH

/** Returns the requests for paths that are grouped by the prefix of their host. */
const requestsOf = (hostPaths: Record<string, readonly string[]>) =>
  Object.entries(hostPaths).flatMap(([prefix, paths]) => paths.map((path) => ({ prefix, path })))
const listRowRequests = (shareTokens: readonly string[]) =>
  requestsOf({
    '': shareTokens.flatMap((shareToken, index) => listRowPaths(index, shareToken)),
    ...Object.fromEntries(rowIndexes.map((index) => [`${supporterName(index)}.`, ['/']])),
  })
const listOtherRequests = (shareToken: string) =>
  requestsOf({
    '': [...pathsWithoutRows, ...listEndpointPaths(shareToken), whatIsPathOf('')],
    [OTHER_BRAND]: ['/', whatIsPathOf(OTHER_BRAND), '/api/site'],
    'fm.': ['/', '/api/site', '/manifest.webmanifest', '/img/og/site.jpg'],
    [`${WEBSITE_DOMAIN_NAME}.`]: ['/', '/nothing', `/img/og/website/${WEBSITE_DOMAIN_NAME}.jpg`],
  })

let punctuatedSite: PunctuatedSite
let rowRequests: ReturnType<typeof requestsOf>
let otherRequests: ReturnType<typeof requestsOf>

let requestCount = 0
const get = (host: string, urlPath: string) =>
  new Promise<{ status: number; cpuMs: number }>((resolve, reject) => {
    const { site, idToken } = punctuatedSite
    const startMs = mainThreadCpuMs(site.pid)
    // Every request comes from another address, because some endpoints limit the requests of an address.
    const ipAddress = `10.0.${(++requestCount >> 8) & 255}.${requestCount & 255}`
    const headers = { host, authorization: `Bearer ${idToken}`, 'x-forwarded-for': ipAddress }
    request({ host: '127.0.0.1', port: site.port, path: urlPath, headers, agent: false }, (response) => {
      text(response).then(() => resolve({ status: response.statusCode ?? 0, cpuMs: mainThreadCpuMs(site.pid) - startMs }), reject)
    })
      .on('error', reject)
      .end()
  })

let slowestRequest = { cpuMs: 0, url: '' }
/** Sends requests. Returns those that failed, and those that took too much of the server's processor time at each attempt. */
async function slowRequests(units: string, requests: typeof otherRequests): Promise<string[]> {
  const problems: string[] = []
  for (const { prefix, path } of requests) {
    let { status, cpuMs } = await get(`${prefix}localhost`, path)
    // A slow request is repeated, because the compiler or the garbage collector may have run during it. A slow request for a picture is not
    // repeated, because the second one would be answered from the disk.
    for (let repeats = 2; repeats > 0 && cpuMs > CPU_MAX_MS && !path.startsWith('/img/'); repeats--) {
      await publishChanges(punctuatedSite.site)
      cpuMs = Math.min(cpuMs, (await get(`${prefix}localhost`, path)).cpuMs)
    }
    if (cpuMs > slowestRequest.cpuMs) slowestRequest = { cpuMs, url: `${units} ${prefix}${path}` }
    const isExpected = status === (missingPaths.includes(path) ? 404 : 200)
    if (!isExpected || cpuMs > CPU_MAX_MS) problems.push(`${units} ${prefix}${path}: status ${status}, ${Math.round(cpuMs)} ms`)
  }
  return problems
}

beforeAll(async () => {
  punctuatedSite = await startPunctuatedSite()
  const { shareTokens } = punctuatedSite
  rowRequests = listRowRequests(shareTokens)
  otherRequests = listOtherRequests(shareTokens[0] ?? '')
  // The first requests are slower, because the server still compiles its code.
  for (let round = 1; round <= 3; round++) {
    await publishChanges(punctuatedSite.site)
    for (const { prefix, path } of [...rowRequests, ...otherRequests]) await get(`${prefix}localhost`, path)
  }
})
afterAll(() => punctuatedSite.site.stop())

it.each(punctuationGroups.map((units) => [units.join('  '), units] as const))(
  'texts of 20,000 characters that repeat %s: no request takes much processor time of the server',
  async (name, units) => {
    slowestRequest = { cpuMs: 0, url: '' }
    await setRowTexts(punctuatedSite, units)
    const problems = await slowRequests(name, rowRequests)
    for (const unit of units) {
      await setSiteTexts(punctuatedSite, unit)
      problems.push(...(await slowRequests(unit, otherRequests)))
    }
    console.info(JSON.stringify(slowestRequest))
    expect(problems).toEqual([])
  },
)
