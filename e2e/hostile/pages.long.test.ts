import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pagePaths, pages } from '../../contract/pages.ts'
import { hostileUnits } from '../../server/testing/fuzz/hostile-values.ts'
import { findLeak } from '../../server/testing/fuzz/leaks.ts'
import { readLongFuzzRun } from '../../server/testing/fuzz/run.ts'
import { CPU_MAX_MS, computeSeed } from '../../server/testing/fuzz/world.ts'
import { readMainThreadCpuMs } from '../../server/testing/main-thread-cpu.ts'
import { type Site, startSite } from '../server.ts'
import { findMarkupProblem } from './well-formed.ts'

/** Hosts that show the same pages as the first host but share none of its cached documents. */
const REPEAT_HOSTS = ['again-1.example', 'again-2.example', 'again-3.example']
const testedHosts = [
  'localhost',
  'slowedreverb.localhost',
  'fm.localhost',
  'fm.slowedreverb.localhost',
  'aria.localhost',
  'nobody.localhost',
  'unknown.example',
  '',
]

let site: Site
beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: 'debug', SITE_HOSTS: ['localhost', 'slowedreverb.localhost', '127.0.0.1', ...REPEAT_HOSTS].join() })
})
afterAll(() => site.stop())

interface PageAnswer {
  status: number
  type: string
  headers: string
  body: string
  cpuMs: number
}
const getPage = (host: string, urlPath: string, headers: Record<string, string> = {}) =>
  new Promise<PageAnswer>((resolve, reject) => {
    const startMs = readMainThreadCpuMs(site.pid)
    request({ host: '127.0.0.1', port: site.port, path: urlPath, headers: { host, ...headers }, agent: false }, (response) => {
      text(response).then(
        (bodyText) =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            headers: JSON.stringify(response.headers),
            body: bodyText,
            cpuMs: readMainThreadCpuMs(site.pid) - startMs,
          }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })

const anyIdText = fc.constantFrom(
  'new',
  'network',
  'aria',
  'AAAAAAAAAAA',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '__proto__',
  '1e9',
  'x'.repeat(250),
  'x'.repeat(301),
)
/** Generates the value of a query parameter or a part of a path. Some values are not valid UTF-8 or not valid percent escapes. */
const anyHostilePart = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.values(hostileUnits)), fc.integer({ min: 1, max: 400 }))
    .map(([unit, times]) => encodeURIComponent(unit.toWellFormed().repeat(times)).slice(0, 4000)),
  fc.constantFrom(
    '%',
    '%zz',
    '%ED%A0%80',
    '%F0%9F',
    '+',
    '%25'.repeat(500),
    '&'.repeat(2000),
    '=',
    '\'"',
    '[]=1',
    '%0d%0aSet-Cookie:%20a=b',
    '//evil.example',
    '\\\\evil.example',
  ),
  anyIdText,
)
const parameterNames = [
  ...new Set(Object.values(pages).flatMap((page) => ('parameters' in page ? page.parameters : []))),
  'success',
  'error',
  'oobCode',
  'continueUrl',
  'discord',
  'firebase_auth_token',
  'unknown',
]
const anyQueries = fc
  .array(fc.tuple(fc.constantFrom(...parameterNames), anyHostilePart), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`))

const fileUrlPaths = [
  '/sitemap.xml',
  '/sitemaps/pages.xml',
  '/sitemaps/songs-1.xml',
  '/sitemaps/songs-99999.xml',
  '/latest.atom',
  '/robots.txt',
  '/manifest.webmanifest',
  '/favicon.ico',
  '/icon.svg',
  '/icons/192.png',
  '/apple-touch-icon.png',
  '/shell',
  '/healthz',
  '/sw.js',
  '/api/docs',
  '/api/docs/json',
  '/go/random',
  '/go/radio',
  '/account/link_discord',
  '/assets/x.js',
  '/.vite/manifest.json',
  '/index.html',
]
const hostileKinds = ['song', 'playlist', 'feed', 'member', 'supporter', 'website', 'constructor']
const anyUrlPath = fc.oneof(
  fc.constantFrom(...pagePaths),
  fc.constantFrom(...fileUrlPaths),
  fc
    .tuple(
      fc.constantFrom(...hostileKinds),
      fc.oneof(anyIdText, anyHostilePart),
      fc.constantFrom('160', '320', '1280', '0', '1e3', '999999'),
    )
    .map(([kind, id, width]) => `/img/${kind}/${id}/${width}`),
  fc.tuple(fc.constantFrom(...hostileKinds), fc.oneof(anyIdText, anyHostilePart)).map(([kind, id]) => `/img/og/${kind}/${id}.jpg`),
  fc.tuple(fc.constantFrom(...pagePaths), fc.oneof(anyIdText, anyHostilePart)).map(([path, part]) => `${path}/${part}`),
  fc.constantFrom(...pagePaths).map((path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  anyHostilePart.map((part) => `/${part}`),
)
const anyHeaders = fc.constantFrom(
  {},
  { 'accept-encoding': 'gzip;q=0' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-10' },
  { accept: 'image/webp' },
  { 'user-agent': 'AppleWebKit/605' },
)

function findPageProblem({ status, type, body, headers: headText }: PageAnswer): string | undefined {
  if (status >= 500) return `${status} ${body.slice(0, 300)}`
  const leakText = findLeak(`${headText}\n${/javascript|svg|css/.test(type) ? '' : body}`, new Map([['the data folder', site.dataDir]]))
  if (leakText !== undefined) return `the answer has ${leakText}`
  if (body === '') return undefined
  if (type.startsWith('text/html')) return findMarkupProblem(body, 'html')
  if (/xml/.test(type) && status === 200) return findMarkupProblem(body, 'xml')
  if (/json/.test(type) && status !== 206) JSON.parse(body)
  return undefined
}

it('every page, picture and document of any host is well-formed, and is answered without an error and without much processor time', async () => {
  const { seed, minutes = 1 } = readLongFuzzRun()
  const endMs = performance.now() + minutes * 60_000
  const problemTexts: string[] = []
  const countByStatus: Record<string, number> = {}
  let slowestPage = { cpuMs: 0, url: '' }
  const anyTarget = fc.tuple(fc.constantFrom(...testedHosts), anyUrlPath, anyQueries, anyHeaders)
  /** The test requests every page once without a query, and then random addresses. */
  const firstRequests = testedHosts.flatMap((host) => [...pagePaths, ...fileUrlPaths].map((path) => [host, path, '', {}] as const))
  for (let round = 0; round === 0 || (performance.now() < endMs && problemTexts.length === 0); round++) {
    for (const [hostName, urlPath, queryText, headerFields] of round === 0
      ? firstRequests
      : fc.sample(anyTarget, { numRuns: 300, seed: computeSeed(seed, round) })) {
      const url = urlPath + queryText
      const pageAnswer = await getPage(hostName, url, headerFields)
      countByStatus[pageAnswer.status] = (countByStatus[pageAnswer.status] ?? 0) + 1
      const problemText = findPageProblem(pageAnswer)
      if (problemText !== undefined) problemTexts.push(`${problemText}: ${hostName} ${url.slice(0, 500)}`)
      let { cpuMs } = pageAnswer
      for (const repeatHost of REPEAT_HOSTS)
        if (cpuMs > CPU_MAX_MS) cpuMs = Math.min(cpuMs, (await getPage(repeatHost, url, headerFields)).cpuMs)
      if (cpuMs > slowestPage.cpuMs) slowestPage = { cpuMs, url: url.slice(0, 100) }
      if (cpuMs > CPU_MAX_MS) problemTexts.push(`${Math.round(cpuMs)} ms of the processor: ${hostName} ${url.slice(0, 500)}`)
    }
  }
  console.info(JSON.stringify({ seed, statuses: countByStatus, slowest: slowestPage }))
  const errorLines = site
    .readLog()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
  expect([...problemTexts.slice(0, 20), ...errorLines.slice(0, 5)]).toEqual([])
})
