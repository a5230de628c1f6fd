import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runAdminCommand, type Site, serverScriptPath, startSite } from '../e2e/server.ts'
import { createBenchSongId, generateCatalogue } from './generate-catalogue.ts'
import { type HttpLoad, measureCpuAlternately, type RequestAmounts } from './load-server.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- before DIR [ROUNDS [LOAD]]`: compares the processor time per answer of this build's server with that of the one that was built in the checkout
// DIR, for frequent reads and for calls with an account, or for the load LOAD alone. Both run at the same time and are loaded alternately; both are started anew for
// each round, because the processes of one program differ in speed. `before .` compares this build with itself, which shows how exact the machine is.
// Needs Linux.

const [earlierDirectory, roundText = '7', loadName] = process.argv.slice(2)
const earlierProgram = resolve(earlierDirectory ?? '', 'dist/server/main.js')
if (earlierDirectory === undefined || !existsSync(earlierProgram)) throw new Error('before DIR: DIR must be a checkout with a build')
/** The highest accepted median of this build's processor time divided by the earlier one's. */
const CPU_TIME_RATIO_MAX = 1.03

const TOOLKIT_PATH = '/identitytoolkit.googleapis.com/v1/accounts:'
const JSON_HEADERS = { 'content-type': 'application/json' }
/**
 * The accounts that log in one after the other, so that no account exceeds its maximum number of logins: a further login would end the oldest one.
 */
const ACCOUNT_COUNT = 10
const credentials = Array.from({ length: ACCOUNT_COUNT }, (_, index) =>
  JSON.stringify({ email: `bench-${index}@example.com`, password: 'correct horse battery' }),
)

/** Creates the accounts, and returns an identity token of the first. */
async function signUp({ port }: Site): Promise<string> {
  const idTokens: string[] = []
  for (const credentialBody of credentials) {
    const response = await fetch(`http://127.0.0.1:${port}${TOOLKIT_PATH}signUp`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: credentialBody,
    })
    const { idToken }: { idToken: string } = await response.json()
    idTokens.push(idToken)
  }
  return idTokens[0] ?? ''
}

const createPostLoad = (path: string, body: string): HttpLoad => ({ path, method: 'POST', headers: JSON_HEADERS, body })

const publicRequestAmounts = { warmUp: 6000, slice: 600, slices: 12 }
const accountRequestAmounts = { warmUp: 2000, slice: 300, slices: 12 }
/** Small numbers of requests, because the server refuses more than 600 logins of one client. */
const loginRequestAmounts = { warmUp: 60, slice: 30, slices: 12 }
const loads: { name: string; amounts: RequestAmounts; create: (idToken: string) => HttpLoad }[] = [
  { name: '/song/get', amounts: publicRequestAmounts, create: () => ({ path: `/api/song/get?s=${createBenchSongId(1)}&p=bench-100` }) },
  { name: '/playlist/get of 100 songs', amounts: publicRequestAmounts, create: () => ({ path: '/api/playlist/get?p=bench-100' }) },
  { name: '/radio/get', amounts: publicRequestAmounts, create: () => ({ path: '/api/radio/get' }) },
  {
    name: '/account/getinfo',
    amounts: accountRequestAmounts,
    create: (idToken) => ({ path: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } }),
  },
  {
    name: 'lookup of an account',
    amounts: accountRequestAmounts,
    create: (idToken) => createPostLoad(`${TOOLKIT_PATH}lookup`, JSON.stringify({ idToken })),
  },
  {
    name: 'log-in',
    amounts: loginRequestAmounts,
    create: () => ({
      path: `${TOOLKIT_PATH}signInWithPassword`,
      requests: credentials.map((body) => ({ method: 'POST', headers: JSON_HEADERS, body })),
      connections: 3,
    }),
  },
]

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const cataloguePath = join(workDir, 'catalogue.json')
  await generateCatalogue(cataloguePath, { songs: 10_000, playlists: 100 })
  const builds = [serverScriptPath, earlierProgram].map((program, index) => ({ program, dataDir: join(workDir, String(index)) }))
  for (const { program, dataDir } of builds)
    await runAdminCommand(dataDir, ['catalog', 'import', cataloguePath], {}, program.replace('main.js', 'admin.js'))
  for (const { name, amounts, create } of loads) {
    if (loadName !== undefined && name !== loadName) continue
    const cpuTimeRatios: number[] = []
    const thisBuildCpuUs: number[] = []
    let failureCount = 0
    for (let round = 0; round < Number(roundText); round++) {
      const sites = []
      for (const { program, dataDir } of builds) {
        const roundDir = `${dataDir}-round`
        await cp(dataDir, roundDir, { recursive: true })
        sites.push(await startSite({ DATA_DIR: roundDir, DEMO: 'off' }, { programFile: program }))
      }
      const servers = []
      for (const site of sites) servers.push({ ...site, load: create(await signUp(site)) })
      // The order alternates from round to round, so that neither build always goes first.
      const isOrderReversed = round % 2 === 1
      const measurements = await measureCpuAlternately(isOrderReversed ? servers.toReversed() : servers, amounts)
      const cpuSlices = measurements.cpuUs.map((slice) => (isOrderReversed ? slice.toReversed() : slice))
      cpuTimeRatios.push(computeMedian(cpuSlices.map(([own = Number.NaN, earlier = Number.NaN]) => own / earlier)))
      thisBuildCpuUs.push(computeMedian(cpuSlices.map(([own = Number.NaN]) => own)))
      failureCount += measurements.failureCount
      for (const site of sites) await site.stop()
      for (const { dataDir } of builds) await rm(`${dataDir}-round`, { recursive: true })
    }
    process.stdout.write(`${name}: of the earlier build's time, by round: ${cpuTimeRatios.map((ratio) => ratio.toFixed(3)).join(' ')}\n`)
    reportFigure(`${name}: processor time of an answer`, computeMedian(thisBuildCpuUs), 'µs')
    if (!reportFigure(`${name}: failed answers`, failureCount, '', { atMost: 0 })) process.exitCode = 1
    if (!reportFigure(`${name}: of the earlier build's time`, computeMedian(cpuTimeRatios), '', { atMost: CPU_TIME_RATIO_MAX }))
      process.exitCode = 1
  }
} finally {
  await rm(workDir, { recursive: true, force: true })
}
