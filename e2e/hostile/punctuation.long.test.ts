import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBrandOfHost } from '../../brands/registry.ts'
import { type EndpointInput, type EndpointKey, endpoints } from '../../contract/endpoints.ts'
import { ATOM_PATH } from '../../contract/news.ts'
import { hasLoadedHeading, type PageWithLoadedHeading } from '../../contract/page-properties.ts'
import { pagePaths } from '../../contract/pages.ts'
import { CPU_MAX_MS } from '../../server/testing/fuzz/world.ts'
import { readMainThreadCpuMs } from '../../server/testing/main-thread-cpu.ts'
import {
  createMemberId,
  createPlaylistId,
  createSongId,
  createSupporterName,
  type PunctuatedSite,
  publishChanges,
  punctuationGroups,
  rowIndexes,
  setRowTexts,
  setSiteTexts,
  startPunctuatedSite,
  WEBSITE_DOMAIN_NAME,
} from './punctuated-site.ts'

/** The prefix of a host of the other brand. */
const OTHER_BRAND_HOST_PREFIX = 'slowedreverb.'

type ReadingEndpointKey = Extract<EndpointKey, `GET ${string}`>
type EndpointKeyWithQuery = {
  [K in ReadingEndpointKey]: Record<never, never> extends EndpointInput<K> ? never : K
}[ReadingEndpointKey]
/** No conversion job exists whose status could be requested. */
const OMITTED_ENDPOINT = 'GET /make/status'

/** Returns the query strings of the endpoints that require a query string, and of endpoints that read more rows with one. */
const listEndpointQueries = (shareToken: string) =>
  ({
    'GET /song/search': '?s=song',
    'GET /search/suggest': '?s=song',
    'GET /search/similar': '?s=sonng',
    'GET /song/get': `?s=${createSongId(0)}`,
    'GET /song/related': `?s=${createSongId(0)}`,
    'GET /favorite/get': `?s=${createSongId(0)}`,
    'GET /playlist/get': `?p=${createPlaylistId(0)}`,
    'GET /list/get': `?l=${shareToken}`,
    'GET /radio/get': '?newcomers_id=1',
    'GET /subscriber/getinfo': `?domain_name=${WEBSITE_DOMAIN_NAME}`,
    'GET /host': '?domain=localhost',
  }) satisfies Partial<Record<EndpointKey, string>> & Record<Exclude<EndpointKeyWithQuery, typeof OMITTED_ENDPOINT>, string>
function listEndpointPaths(shareToken: string): string[] {
  const queryByEndpointKey: Partial<Record<string, string>> = listEndpointQueries(shareToken)
  return Object.keys(endpoints)
    .filter((key) => key.startsWith('GET ') && key !== OMITTED_ENDPOINT)
    .map((key) => `/api${key.slice('GET '.length)}${queryByEndpointKey[key] ?? ''}`)
}

/** Returns the query strings of the pages whose heading comes from a row. Without its query string, such a page is not found. */
const listRowPageQueries = (index: number, shareToken: string): Record<Exclude<PageWithLoadedHeading, '/' | '/search'>, string> => ({
  '/song': `?s=${createSongId(index)}&p=${createPlaylistId(index)}`,
  '/playlist': `?p=${createPlaylistId(index)}`,
  '/list': `?l=${shareToken}`,
})
const listRowPaths = (index: number, shareToken: string) => [
  ...Object.entries(listRowPageQueries(index, shareToken)).map(([path, query]) => path + query),
  `/playlist?p=category-${index}`,
  `/api/song/get?s=${createSongId(index)}&p=${createPlaylistId(index)}`,
  `/api/playlist/get?p=${createPlaylistId(index)}`,
  `/api/list/get?l=${shareToken}`,
  `/api/subscriber/getinfo?domain_name=${createSupporterName(index)}`,
  `/img/song/${createSongId(index)}/320`,
  `/img/playlist/${createPlaylistId(index)}/320`,
  `/img/member/${createMemberId(index)}/160`,
  `/img/supporter/${createSupporterName(index)}/160`,
  `/img/og/song/${createSongId(index)}.jpg`,
  `/img/og/playlist/${createPlaylistId(index)}.jpg`,
  `/img/og/website/${createSupporterName(index)}.jpg`,
]
const fileUrlPaths = [
  ...['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/songs-1.xml', '/sitemaps/playlists-1.xml', ATOM_PATH],
  ...['/manifest.webmanifest', '/robots.txt', '/shell', '/img/og/site.jpg'],
]
const missingPaths = ['/no-such-page', '/nothing']
const searchUrls = ['/search?q=song', '/search?q=a&type=artist']
const pathsWithoutRows = [
  ...pagePaths.filter((path) => !hasLoadedHeading(path) || path === '/' || path === '/search'),
  ...searchUrls,
  ...fileUrlPaths,
  '/no-such-page',
]
const readWhatIsPath = (host: string) => findBrandOfHost(host).settings.WHAT_IS_PATH

/** Returns requests for the given paths, which are grouped by the prefix of their host. */
const createRequests = (hostPaths: Record<string, readonly string[]>) =>
  Object.entries(hostPaths).flatMap(([prefix, paths]) => paths.map((path) => ({ prefix, path })))
const listRowRequests = (shareTokens: readonly string[]) =>
  createRequests({
    '': shareTokens.flatMap((shareToken, index) => listRowPaths(index, shareToken)),
    ...Object.fromEntries(rowIndexes.map((index) => [`${createSupporterName(index)}.`, ['/']])),
  })
const listOtherRequests = (shareToken: string) =>
  createRequests({
    '': [...pathsWithoutRows, ...listEndpointPaths(shareToken), readWhatIsPath('')],
    [OTHER_BRAND_HOST_PREFIX]: ['/', readWhatIsPath(OTHER_BRAND_HOST_PREFIX), '/api/site'],
    'fm.': ['/', '/api/site', '/manifest.webmanifest', '/img/og/site.jpg'],
    [`${WEBSITE_DOMAIN_NAME}.`]: ['/', '/nothing', `/img/og/website/${WEBSITE_DOMAIN_NAME}.jpg`],
  })

let punctuatedSite: PunctuatedSite
let rowRequests: ReturnType<typeof createRequests>
let otherRequests: ReturnType<typeof createRequests>

let requestCount = 0
const getPage = (host: string, urlPath: string) =>
  new Promise<{ status: number; cpuMs: number }>((resolve, reject) => {
    const { site, idToken } = punctuatedSite
    const startMs = readMainThreadCpuMs(site.pid)
    // Every request comes from another address, because some endpoints limit the requests of an address.
    const ipAddress = `10.0.${(++requestCount >> 8) & 255}.${requestCount & 255}`
    const headers = { host, authorization: `Bearer ${idToken}`, 'x-forwarded-for': ipAddress }
    request({ host: '127.0.0.1', port: site.port, path: urlPath, headers, agent: false }, (response) => {
      text(response).then(() => resolve({ status: response.statusCode ?? 0, cpuMs: readMainThreadCpuMs(site.pid) - startMs }), reject)
    })
      .on('error', reject)
      .end()
  })

let slowestRequest = { cpuMs: 0, url: '' }
/** Sends requests. Returns those that failed, and those that took too much of the server's processor time at each attempt. */
async function findSlowRequests(punctuationUnitsText: string, testedRequests: typeof otherRequests): Promise<string[]> {
  const problemTexts: string[] = []
  for (const { prefix, path } of testedRequests) {
    let { status, cpuMs } = await getPage(`${prefix}localhost`, path)
    // A slow request is repeated, because the compiler or the garbage collector may have run during it. A slow request for a picture is not
    // repeated, because the second one would be answered from the disk.
    for (let repeats = 2; repeats > 0 && cpuMs > CPU_MAX_MS && !path.startsWith('/img/'); repeats--) {
      await publishChanges(punctuatedSite.site)
      cpuMs = Math.min(cpuMs, (await getPage(`${prefix}localhost`, path)).cpuMs)
    }
    if (cpuMs > slowestRequest.cpuMs) slowestRequest = { cpuMs, url: `${punctuationUnitsText} ${prefix}${path}` }
    const isExpected = status === (missingPaths.includes(path) ? 404 : 200)
    if (!isExpected || cpuMs > CPU_MAX_MS)
      problemTexts.push(`${punctuationUnitsText} ${prefix}${path}: status ${status}, ${Math.round(cpuMs)} ms`)
  }
  return problemTexts
}

beforeAll(async () => {
  punctuatedSite = await startPunctuatedSite()
  const { shareTokens } = punctuatedSite
  rowRequests = listRowRequests(shareTokens)
  otherRequests = listOtherRequests(shareTokens[0] ?? '')
  // The first requests are slower, because the server still compiles its code.
  for (let round = 1; round <= 3; round++) {
    await publishChanges(punctuatedSite.site)
    for (const { prefix, path } of [...rowRequests, ...otherRequests]) await getPage(`${prefix}localhost`, path)
  }
})
afterAll(() => punctuatedSite.site.stop())

it.each(punctuationGroups.map((units) => [units.join('  '), units] as const))(
  'texts of 20,000 characters that repeat %s: no request takes much processor time of the server',
  async (groupName, groupUnits) => {
    slowestRequest = { cpuMs: 0, url: '' }
    await setRowTexts(punctuatedSite, groupUnits)
    const problemTexts = await findSlowRequests(groupName, rowRequests)
    for (const unit of groupUnits) {
      await setSiteTexts(punctuatedSite, unit)
      problemTexts.push(...(await findSlowRequests(unit, otherRequests)))
    }
    console.info(JSON.stringify(slowestRequest))
    expect(problemTexts).toEqual([])
  },
)
